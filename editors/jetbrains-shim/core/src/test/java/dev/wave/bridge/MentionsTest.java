package dev.wave.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Problems.Highlight;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.context.Terminal.Line;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code @terminal} and {@code @problems} from a panel of ours: what the IDE knows arrives at the agent. */
@TestInstance(Lifecycle.PER_CLASS)
class MentionsTest {
    private static final String TERMINAL = "{\"type\":\"mention\",\"kind\":\"terminal\"}";
    private static final String PROBLEMS = "{\"type\":\"mention\",\"kind\":\"problems\"}";

    private House house;
    private Desk desk;
    private FakePage page;
    private String session;

    @BeforeAll
    void build(@TempDir Path root) throws Exception {
        house = new House(root);
        Files.createDirectories(house.project.resolve(".git"));
        desk = house.closed(new Desk(house));
        page = desk.page();
        desk.bridge.start();
        page.ready();
        session = page.session(house);
    }

    @AfterAll
    void leave() throws Exception {
        house.close();
    }

    @BeforeEach
    void knowNothing() {
        FakeEditor fresh = new FakeEditor();
        desk.editor.terminal = fresh.terminal;
        desk.editor.problems = fresh.problems;
    }

    /** Gives what the agent was told: the text of the user's message as the CLI keeps it. */
    private String told(String... mentions) throws Exception {
        String[] parts = new String[mentions.length + 1];
        parts[0] = "{\"type\":\"text\",\"text\":\"look \"}";
        System.arraycopy(mentions, 0, parts, 1, mentions.length);
        page.turn(session, parts);
        JsonObject snapshot = page.answer(page.ask("wave/session/snapshot", "{\"sessionId\":\"" + session + "\"}"));
        String said = "";
        for (JsonElement message : snapshot.getAsJsonObject("result").getAsJsonArray("messages")) {
            if (message.getAsJsonObject().get("role").getAsString().equals("user")) {
                JsonElement block = message.getAsJsonObject().getAsJsonArray("blocks").get(0);
                said = block.getAsJsonObject().get("content").getAsString();
            }
        }
        return said;
    }

    private void terminal(Terminal reading) {
        desk.editor.terminal = () -> CompletableFuture.completedFuture(reading);
    }

    private void highlights(Highlight... found) {
        desk.editor.problems = () -> CompletableFuture.completedFuture(new Problems.Found(
                house.project.resolve("src/a.py").toUri().toString(),
                List.of(house.project.toString()),
                "one\ntwo\nthree\n",
                1,
                true,
                List.of(found)));
    }

    @Test
    @Tag("M1.1")
    @Tag("M1.2")
    void theLastCommandIsReadWhenTheMessageIsSent() throws Exception {
        terminal(new Terminal.Command("make", "before", 0, false));
        assertTrue(told(TERMINAL).contains("$ make\nbefore"));
        terminal(new Terminal.Command("make test", "表 1 失败", 2, false));
        String said = told(TERMINAL);
        assertTrue(said.contains("$ make test\n表 1 失败\n[退出码 2]"), said);
    }

    @Test
    void theScreenOfAClassicTerminalIsLabelledAsSuch() throws Exception {
        terminal(new Terminal.Screen(List.of(new Line("$ ls", false), new Line("a.py", false))));
        String said = told(TERMINAL);
        assertTrue(said.contains("无 Shell 集成") && said.contains("$ ls\na.py"), said);
    }

    @Test
    @Tag("MB4")
    void aTerminalThatIsNoShellIsUnavailableWithTheReason() throws Exception {
        terminal(new Terminal.Unavailable("notShell"));
        String said = told(TERMINAL);
        assertTrue(said.contains("终端输出：不可用 [活动终端不是 Shell 终端]"), said);
    }

    @Test
    @Tag("M1.5")
    @Tag("M2.3")
    void withNeitherTerminalNorEditorTheMessageGoesOut() throws Exception {
        String said = told(TERMINAL, PROBLEMS);
        assertTrue(said.contains("look"), said);
        assertTrue(said.contains("终端输出：不可用 [没有打开的终端]"), said);
        assertTrue(said.contains("当前文件的问题：不可用 [没有活动的编辑器]"), said);
    }

    @Test
    @Tag("M2.1")
    @Tag("MB8")
    void problemsComeInTheOrderOfLinesWithThePathInItsRepository() throws Exception {
        highlights(
                new Highlight(8, 13, 400, "late error", "ts"),
                new Highlight(0, 3, 300, "early warning", null),
                new Highlight(4, 7, 10, "a colour", null));
        String said = told(PROBLEMS);
        assertTrue(said.contains("src/a.py"), said);
        assertTrue(said.contains("1:1 warning early warning\n3:1 error late error [ts]"), said);
    }

    @Test
    @Tag("MB5")
    @Tag("M2.5")
    void problemsThatCantBeReadDoNotTouchTheTerminal() throws Exception {
        terminal(new Terminal.Command("ls", "a.py", 0, false));
        desk.editor.problems = () -> {
            throw new NoSuchMethodError("HighlightInfo.fromRangeHighlighter");
        };
        String said = told(TERMINAL, PROBLEMS);
        assertTrue(said.contains("$ ls\na.py"), said);
        assertTrue(said.contains("当前文件的问题：不可用 [编辑器读不到诊断]"), said);
        desk.editor.problems = () -> CompletableFuture.failedFuture(new IllegalStateException("disposed"));
        assertTrue(told(PROBLEMS).contains("不可用 [编辑器读不到诊断]"));
    }

    @Test
    @Tag("MB3")
    void anEditorThatDoesNotAnswerIsNotWaitedForLong() throws Exception {
        desk.editor.terminal = CompletableFuture::new;
        long start = System.nanoTime();
        assertTrue(told(TERMINAL).contains("不可用 [读取超时]"));
        assertEquals(0, (System.nanoTime() - start) / 8_000_000_000L);
    }
}
