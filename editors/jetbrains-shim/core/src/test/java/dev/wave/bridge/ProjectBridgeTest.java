package dev.wave.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.wave.bridge.daemon.Limits;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.notice.Notice;
import dev.wave.bridge.notice.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A project's panels on the real bridge: what a user of the plugin meets, but for the pixels. */
@TestInstance(Lifecycle.PER_CLASS)
class ProjectBridgeTest {
    private House house;
    private Desk desk;

    @BeforeAll
    void build(@TempDir Path root) throws Exception {
        house = new House(root);
    }

    @BeforeEach
    void open() {
        desk = house.closed(new Desk(house));
    }

    @AfterEach
    void leave() throws Exception {
        house.leave();
    }

    @AfterAll
    void tearDown() throws Exception {
        house.close();
    }

    private FakePage started() {
        FakePage page = desk.page();
        desk.bridge.start();
        page.ready();
        return page;
    }

    @Test
    void whatAPageSaysBeforeTheBridgeIsThereIsSaidThen() throws Exception {
        FakePage page = desk.page();
        page.ready();
        int asked = page.ask("wave/daemon/status", "{}");
        desk.bridge.start();
        assertTrue(page.answer(asked).getAsJsonObject("result").has("pid"));
    }

    @Test
    void twoPanelsAreTwoClientsAndHaveIdsOfTheirOwn() throws Exception {
        FakePage one = started();
        FakePage two = desk.page();
        two.ready();
        String first = one.session(house);
        String second = two.session(house);
        assertFalse(first.equals(second));
        assertEquals("one", one.turn(first, "{\"type\":\"text\",\"text\":\"[[{\\\"text\\\":\\\"one\\\"}]]\"}"));
        assertEquals("two", two.turn(second, "{\"type\":\"text\",\"text\":\"[[{\\\"text\\\":\\\"two\\\"}]]\"}"));
        desk.bridge.panels().all().forEach(panel -> panel.close());
        assertTrue(desk.bridge.panels().all().isEmpty());
    }

    @Test
    void aNullThatAPanelSaysArrivesAsNull() throws Exception {
        FakePage page = started();
        JsonObject answer = page.answer(page.ask("wave/session/list", "{\"cwd\":null}"));
        assertEquals("invalidParams", kind(answer), "a null is not a member that was left out");
    }

    @Test
    void aPageThatIsLoadedAnewGetsNoAnswerOfTheOldOne() throws Exception {
        FakePage page = started();
        String session = page.session(house);
        page.ask("wave/turn/start", "{\"sessionId\":\"" + session + "\",\"clientTurnId\":\"t\",\"parts\":["
                + "{\"type\":\"text\",\"text\":\"[[{\\\"text\\\":\\\"slow\\\",\\\"chunks\\\":4,\\\"delay\\\":0.2}]]\"}]}");
        page.hear("wave/session/state");
        page.reload();
        JsonObject loaded = page.answer(page.ask("wave/session/load", "{\"sessionId\":\"" + session + "\"}"));
        assertEquals(session, loaded.getAsJsonObject("result").get("sessionId").getAsString());
        assertTrue(loaded.getAsJsonObject("result").getAsJsonObject("state").get("busy").getAsBoolean());
        page.hear(message -> message.has("params") && message.getAsJsonObject("params").has("turnEnded"));
    }

    @Test
    void whenTheDoorDiesOpenRequestsAreAnsweredAndAnotherOneIsStarted() throws Exception {
        FakePage page = started();
        String session = page.session(house);
        int asked = page.ask("wave/session/btw", "{\"sessionId\":\"" + session
                + "\",\"question\":\"[[{\\\"text\\\":\\\"late\\\",\\\"first\\\":30}]]\"}");
        door().destroyForcibly();
        assertEquals("agentUnavailable", kind(page.answer(asked)));
        page.hear("wave/daemon/reattached");
        JsonObject again = page.answer(page.ask("wave/session/load", "{\"sessionId\":\"" + session + "\"}"));
        assertEquals(session, again.getAsJsonObject("result").get("sessionId").getAsString());
        assertTrue(desk.editor.notices.isEmpty(), "nobody was bothered");
    }

    private ProcessHandle door() {
        return ProcessHandle.current().children()
                .filter(child -> child.info().commandLine().orElse("").contains("--stdio"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("T4.7")
    @Tag("T4.8")
    void aBridgeThatAlwaysEndsIsGivenUpWithAReasonAndCanBeStartedAgain() throws Exception {
        desk.command = house.program("dies", "#!/bin/sh", "echo once >> starts", "echo 'no module named x' >&2", "exit 7");
        FakePage page = started();
        int asked = page.ask("wave/daemon/status", "{}");
        Notice notice = desk.editor.notice();
        assertEquals(Notice.Level.ERROR, notice.level());
        assertEquals(
                "Wave Bridge 已退出: " + desk.command + " --stdio ended with code 7:\nno module named x", notice.text());
        assertEquals(Limits.STARTS, Files.readAllLines(house.project.resolve("starts")).size());
        assertEquals("agentUnavailable", kind(page.answer(asked)));
        assertEquals("agentUnavailable", kind(page.answer(page.ask("wave/daemon/status", "{}"))), "at once");
        String log = Files.readString(desk.bridge.log().file());
        assertTrue(log.contains("starting " + desk.command) && log.contains("no module named x"), log);

        desk.command = House.BRIDGE;
        assertEquals(
                List.of("重启 Wave", "打开设置", "查看日志"),
                notice.actions().stream().map(Notice.Action::label).toList());
        notice.actions().forEach(action -> action.run().run());
        assertEquals(List.of("settings", "log"), desk.editor.done);
        int after = page.ask("wave/daemon/status", "{}");
        while (kind(page.answer(after)).equals("agentUnavailable")) {
            after = page.ask("wave/daemon/status", "{}");
        }
    }

    @Test
    void aBridgeThatIsNotInstalledIsSaidAtOnceWithWhatToDo() throws Exception {
        desk.command = "/no/such/wave-bridge";
        desk.locale = "en";
        started();
        Notice notice = desk.editor.notice();
        assertTrue(notice.text().startsWith("Wave Bridge has ended: /no/such/wave-bridge --stdio: "), notice::text);
        assertTrue(notice.text().endsWith(Text.BRIDGE_MISSING.in("en")), notice::text);
    }

    @Test
    void aQuestionOfTheBridgeIsAnsweredWithTheButtonThatWasPressed() throws Exception {
        desk.command = speaker("{\"jsonrpc\":\"2.0\",\"id\":\"wave-1\",\"method\":\"window/showMessageRequest\",\"params\":"
                + "{\"type\":2,\"message\":\"Allow it?\",\"actions\":[{\"title\":\"Yes\"},{\"title\":\"No\"}]}}");
        started();
        Notice notice = desk.editor.notice();
        assertEquals(Notice.Level.WARNING, notice.level());
        notice.actions().get(1).run().run();
        String said = desk.logged("\"id\":\"wave-1\"");
        assertTrue(said.contains("\"result\":{\"title\":\"No\"}"), said);
    }

    @Test
    void theVerbsOfTheEditorReachItAndUnknownOnesAreRefused() throws Exception {
        FakePage page = started();
        JsonElement file = new JsonPrimitive(house.project.resolve("a.py").toString());
        page.answer(page.ask("wave/editor/openFile", "{\"path\":" + file + ",\"line\":3,\"column\":2}"));
        page.answer(page.ask("wave/editor/reveal", "{\"path\":" + file + "}"));
        page.answer(page.ask("wave/editor/openUrl", "{\"url\":\"https://example.org\"}"));
        page.answer(page.ask("wave/editor/copy", "{\"text\":\"x\"}"));
        String path = file.getAsString();
        assertEquals(
                List.of("open " + path + " 2:1 focus", "open " + path + " 0:0", "url https://example.org", "copy x"),
                desk.editor.done);
        page.answer(page.ask("wave/editor/notify", "{\"level\":\"info\",\"message\":\"done\"}"));
        Notice notice = desk.editor.notice();
        assertEquals("INFO done []", notice.level() + " " + notice.text() + " " + notice.actions());
    }

    @Test
    void thePanelOpensInTheBrowserWhereTheIdeHasNone() throws Exception {
        FakePage page = started();
        page.answer(page.ask("wave/daemon/status", "{}"));
        page.tell("host/openBrowser", "{}");
        assertEquals("command openBrowser", page.wishes.take());
        desk.bridge.openInBrowser();
        String opened = desk.editor.did("url ");
        assertTrue(opened.startsWith("url http://127.0.0.1:"), opened);
    }

    @Test
    void withoutABridgeThereIsNoAddressAndThatIsSaid() throws Exception {
        desk.bridge.openInBrowser();
        assertTrue(desk.editor.notice().text().startsWith(Text.NO_ADDRESS.in("zh-CN")));
    }

    @Test
    void whatAPageKeepsIsThereWhenItIsLoadedAnew() throws Exception {
        FakePage page = started();
        page.tell("host/state", "{\"state\":{\"sessionId\":\"s\",\"draft\":\"half a sen\"}}");
        page.tell("host/title", "{\"title\":\"A title\"}");
        page.tell("host/badge", "{\"waiting\":2}");
        page.reload();
        assertEquals("half a sen", page.panel.state().getAsJsonObject().get("draft").getAsString());
        assertEquals("title A title", page.wishes.take());
        assertEquals("badge 2", page.wishes.take());
    }

    @Test
    void theBridgeHearsWhoWeAreAndWhatIsSet() throws Exception {
        desk.settings.addProperty("theme", "night");
        desk.bundled = "/opt/idea/plugins/wave/wave-cli";
        desk.command = speaker("{\"jsonrpc\":\"2.0\",\"id\":\"wave-1\",\"method\":\"workspace/configuration\",\"params\":"
                + "{\"items\":[{\"section\":\"wave\"},{\"section\":\"other\"}]}}");
        started();
        JsonObject introduction = Wire.parse(desk.logged("\"method\":\"initialize\"")).getAsJsonObject().getAsJsonObject("params");
        JsonObject options = introduction.getAsJsonObject("initializationOptions");
        assertEquals("jetbrains", options.getAsJsonObject("client").get("id").getAsString());
        assertEquals(desk.bundled, options.getAsJsonObject("cli").get("bundled").getAsString());
        assertFalse(options.getAsJsonObject("cli").has("path"), "what is not set is left out");
        assertEquals("night", options.getAsJsonObject("settings").get("theme").getAsString());
        assertEquals("zh-CN", introduction.get("locale").getAsString());
        JsonArray folders = introduction.getAsJsonArray("workspaceFolders");
        assertEquals(house.project.toUri().toString(), folders.get(0).getAsJsonObject().get("uri").getAsString());
        assertTrue(desk.logged("\"id\":\"wave-1\"").contains("\"result\":[{\"theme\":\"night\"},null]"));
        desk.bridge.settingsChanged();
        assertTrue(desk.logged("didChangeConfiguration").contains("night"));
    }

    /** Gives a bridge that answers {@code initialize}, says {@code message}, and writes down what it hears. */
    private String speaker(String message) throws Exception {
        return house.python(
                "speaker",
                "import sys",
                "def say(text):",
                "    body = text.encode()",
                "    sys.stdout.buffer.write(b'Content-Length: %d\\r\\n\\r\\n' % len(body) + body)",
                "    sys.stdout.buffer.flush()",
                "while line := sys.stdin.buffer.readline():",
                "    if line.startswith(b'Content-Length'):",
                "        body = sys.stdin.buffer.read(int(line.split(b':')[1]) + 2).decode().strip()",
                "        print(body, file=sys.stderr, flush=True)",
                "        if '\"method\":\"initialize\"' in body:",
                "            say('{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"capabilities\":{}}}')",
                "            say('''" + message + "''')");
    }

    private static String kind(JsonObject answer) {
        if (!answer.has("error")) {
            return "";
        }
        return answer.getAsJsonObject("error").getAsJsonObject("data").get("kind").getAsString();
    }
}
