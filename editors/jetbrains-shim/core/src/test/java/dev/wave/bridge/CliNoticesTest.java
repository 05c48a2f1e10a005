package dev.wave.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.wave.bridge.notice.Notice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plugin that brings a CLI, on machines where it does not start: what the real bridge says stands in a balloon. */
class CliNoticesTest {
    private House house;
    private Desk desk;

    @BeforeEach
    void build(@TempDir Path root) throws Exception {
        house = new House(root);
        desk = house.closed(new Desk(house));
        Path cli = root.resolve("plugin/wave-cli");
        copy(House.REPOSITORY.resolve("tests/data/node-cli"), cli);
        desk.bundled = cli.toString();
        house.environment.remove("WAVE_CLI_PATH");
        house.environment.put("PATH", Files.createDirectories(root.resolve("bin")).toString());
    }

    @AfterEach
    void leave() throws Exception {
        house.close();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copied = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copied.getParent());
                Files.copy(file, copied);
            }
        }
    }

    /** Opens a panel that wants to work, and gives the balloon. */
    private Notice notice() throws InterruptedException {
        FakePage page = desk.page();
        desk.bridge.start();
        page.ready();
        page.ask("wave/session/new", "{\"workdir\":\"" + house.project + "\"}");
        Notice notice = desk.editor.notice();
        assertEquals(Notice.Level.ERROR, notice.level());
        return notice;
    }

    @Test
    @Tag("T2.8")
    @Tag("T4.3")
    @Tag("T4.8")
    void withoutNode() throws Exception {
        Notice notice = notice();
        assertEquals("未检测到 Node.js。请先安装 Node.js (https://nodejs.org)，然后重启编辑器。", notice.text());
        notice.actions().get(0).run().run();
        assertEquals(List.of("log"), desk.editor.done);
        desk.logged("Traceback (most recent call last)");
        desk.logged("SupplyFault");
    }

    @Test
    @Tag("T2.9")
    @Tag("T4.4")
    void withAnOldNode() throws Exception {
        house.program("bin/node", "#!/bin/sh", "echo v18.19.0");
        assertEquals(
                "Node.js 版本过低（当前 v18.19.0，需要 >= 22）。请升级 Node.js (https://nodejs.org)，然后重启编辑器。",
                notice().text());
    }

    @Test
    @Tag("T2.4")
    @Tag("T4.5")
    void withoutTheBundledFiles() throws Exception {
        house.program("bin/node", "#!/bin/sh", "echo v24.1.0");
        Files.delete(Path.of(desk.bundled, "bin/wave-code.js"));
        String text = notice().text();
        assertTrue(text.startsWith("内置的 Wave CLI 缺失或已损坏：") && text.endsWith("请重新安装 Wave 插件。"), text);
    }

    @Test
    @Tag("T2.2")
    @Tag("T4.7")
    void withACliThatEndsAtOnceAndRunsAfterARestart() throws Exception {
        String cli = house.program("wave", "#!/bin/sh", "echo 'Cannot find module x' >&2", "exit 3");
        house.environment.put("WAVE_CLI_PATH", cli);
        FakePage page = desk.page();
        page.ready();
        Notice notice = notice();
        assertTrue(notice.text().endsWith("请检查 CLI 的安装。\nCannot find module x"), notice::text);
        String python = Path.of(House.BRIDGE).resolveSibling("python").toString();
        house.program("wave", "#!/bin/sh", "exec " + python + " -P -m wave_bridge.embedded \"$@\"");
        notice.actions().stream().filter(button -> button.label().startsWith("重启")).forEach(button -> button.run().run());
        page.hear(message -> message.toString().contains("\"state\":\"ready\""));
        JsonObject answer = page.answer(page.ask("wave/session/new", "{\"workdir\":\"" + house.project + "\"}"));
        assertTrue(answer.has("result"), answer::toString);
    }
}
