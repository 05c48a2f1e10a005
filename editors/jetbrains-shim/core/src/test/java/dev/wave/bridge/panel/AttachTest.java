package dev.wave.bridge.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the shim in a real Chromium, behind a query function that behaves as JCEF's does on a bad day. */
class AttachTest {
    private static final String POST = "function post(text) { window.__wavePost ? window.__wavePost(text)"
            + " : (window.__waveOutbox = window.__waveOutbox || []).push(text); }";
    private static final String QUERY = "window.cefQuery_1_1({request: '' + text, onSuccess: "
            + PageScript.DONE + ", onFailure: " + PageScript.FAILED + "})";
    private static String chromium;

    @TempDir
    private Path folder;

    @BeforeAll
    static void find() {
        chromium = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":")).map(place -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no Chromium on PATH");
    }

    /** Runs scripts in a page and gives what they put into {@code out}. */
    private String shown(String... scripts) throws Exception {
        Path page = Files.writeString(folder.resolve("page.html"), "<!doctype html><meta charset=utf-8><body><pre id=out></pre>"
                + "<script>var out = document.getElementById('out');" + POST + "</script>"
                + Stream.of(scripts).map(script -> "<script>" + script + "</script>").reduce("", String::concat));
        String dom = domOf(page);
        return dom.substring(dom.indexOf("<pre id=\"out\">") + 14, dom.indexOf("</pre>"));
    }

    /** Loads a page and gives what its document is in the end. */
    private String domOf(Path page, String... flags) throws Exception {
        Stream<String> usual = Stream.of(
                chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder.resolve("profile"),
                "--virtual-time-budget=10000", "--dump-dom");
        Process browser = new ProcessBuilder(Stream.of(usual, Stream.of(flags), Stream.of(page.toUri().toString()))
                        .flatMap(each -> each)
                        .toList())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String dom = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        browser.waitFor();
        assertTrue(dom.contains("<pre id=\"out\">"), dom);
        return dom;
    }

    @Test
    void messagesOfBeforeTheAttachAndThoseAfterwardsArriveInOrder() throws Exception {
        String query = "window.cefQuery_1_1 = function (q) { out.textContent += q.request + ' '; q.onSuccess(''); };";
        String late = "setTimeout(function () { " + query + PageScript.attach(QUERY) + "; post('d'); }, 300);";
        assertEquals("a b c d ", shown("post('a'); post('b');", late, "post('c');"));
    }

    @Test
    void aCallThatFailsIsMadeAgainAndNothingOvertakesIt() throws Exception {
        String failing = "var calls = 0; window.cefQuery_1_1 = function (q) { setTimeout(function () {"
                + " if (++calls % 3) { q.onFailure(-1, 'Query cancelled'); return; }"
                + " out.textContent += q.request + ' '; q.onSuccess(); }, 10); };";
        String posts = "for (var i = 0; i < 20; i++) post('m' + i);";
        String wanted = Stream.iterate(0, at -> at + 1).limit(20).map(at -> "m" + at + " ").reduce("", String::concat);
        assertEquals(wanted, shown(failing, posts, PageScript.attach(QUERY)));
    }

    @Test
    void aQueryFunctionThatComesAfterTheAttachIsWaitedFor() throws Exception {
        String comes = "setTimeout(function () { window.cefQuery_1_1 = function (q) {"
                + " out.textContent += q.request; q.onSuccess(); }; }, 500);";
        assertEquals("a", shown("post('a');", PageScript.attach(QUERY), comes));
    }

    @Test
    void attachingTwiceSaysNothingTwice() throws Exception {
        String query = "window.cefQuery_1_1 = function (q) { setTimeout(function () {"
                + " out.textContent += q.request + ' '; q.onSuccess(); }, 5); };";
        String attach = PageScript.attach(QUERY);
        assertEquals("a b ", shown(query, "post('a');", attach, attach, "post('b');"));
    }

    @Test
    void whateverAMessageHoldsThePageGetsTheVeryText() throws Exception {
        JsonObject message = new JsonObject();
        message.addProperty("text", "</script><b>\u2028\u2029 \"quoted\" \\ ' 😀 \0 \r\n 世界");
        message.add("result", JsonNull.INSTANCE);
        String same = "window.__waveReceive = function (text) { out.textContent = btoa(unescape(encodeURIComponent(text))); };";
        String got = shown(same, PageScript.receive(message));
        assertEquals(message, Wire.parse(new String(Base64.getDecoder().decode(got), StandardCharsets.UTF_8)));
    }

    @Test
    void coloursAreSetAndSetAgain() throws Exception {
        String ask = "out.textContent = document.documentElement.style.getPropertyValue('--vscode-foreground') + ' '"
                + " + document.body.className;";
        assertEquals("#111111 vscode-light", shown(
                PageScript.theme("dark", Map.of("--vscode-foreground", "#eeeeee")),
                PageScript.theme("light", Map.of("--vscode-foreground", "#111111")),
                ask));
    }

    @Test
    void aForwardedKeyReachesTheFocusedElement() throws Exception {
        String listen = "document.addEventListener('keydown', function (e) { out.textContent += e.key + e.ctrlKey + e.metaKey + ' '; });";
        String[] keys = Shortcut.all(false).stream().map(PageScript::press).toArray(String[]::new);
        String all = String.join("", keys);
        assertEquals("rtruefalse ftruefalse btruefalse Tabfalsefalse Escapefalsefalse ", shown(listen, all));
        assertEquals(Optional.of("meta R"), Shortcut.all(true).stream().map(Shortcut::stroke).findFirst());
    }

    /** The real page, as scripts/build-panel has built it: it speaks through a query that comes late, answers empty and fails. */
    @Test
    void theRealPanelSaysThatItIsReadyAndAsksForItsSession() throws Exception {
        Path built = Path.of(System.getProperty("user.dir")).resolve("../../../wave_bridge/web/assets").normalize();
        assumeTrue(Files.exists(built.resolve("panel.js")), "the panel is not built: scripts/build-panel");
        String host = "{\"kind\":\"jetbrains\",\"panelId\":\"p1\",\"placement\":\"toolWindow\",\"workdir\":\"/w\","
                + "\"locale\":\"en\",\"editor\":true,\"reload\":{\"sessionId\":\"s-1\",\"draft\":\"half a thought\"}}";
        String failing = "var calls = 0; setTimeout(function () { window.cefQuery_1_1 = function (q) { setTimeout(function () {"
                + " if (++calls % 2) { q.onFailure(-1, 'Query cancelled'); return; }"
                + " out.textContent += JSON.parse(q.request).method + ' '; q.onSuccess(''); }, 10); }; }, 500);";
        Path page = Files.writeString(folder.resolve("panel.html"), "<!doctype html><html><head><meta charset=utf-8>"
                + "<meta name=\"wave-host\" content='" + host + "'><link rel=stylesheet href=\"" + built.toUri() + "panel.css\"></head>"
                + "<body><div id=root></div><pre id=\"out\"></pre><script>var out = document.getElementById('out');" + failing + "</script>"
                + "<script>" + PageScript.attach(QUERY) + "</script>"
                + "<script type=module src=\"" + built.toUri() + "panel.js\"></script></body></html>");
        String dom = domOf(page, "--allow-file-access-from-files");
        String said = dom.substring(dom.indexOf("<pre id=\"out\">") + 14, dom.indexOf("</pre>", dom.indexOf("<pre id=\"out\">")));
        assertTrue(said.startsWith("host/ready "), said);
        assertTrue(said.contains("wave/session/load"), said);
        assertTrue(dom.contains("half a thought"), dom);
    }
}
