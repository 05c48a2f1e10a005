package dev.wave.bridge.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the browser inside the IDE gets for an address; src/test/resources has a small bundle. */
class PageFilesTest {
    private final PageFiles files = new PageFiles(PageFilesTest.class);

    private PageFiles.Reply answer(String path) {
        return files.answer(PageFiles.ORIGIN + path, new JsonObject()).orElseThrow();
    }

    @Test
    void thePageHasItsFactsAndRunsOnlyOurScripts() {
        JsonObject meta = new JsonObject();
        meta.addProperty("locale", "zh-CN");
        meta.addProperty("workdir", "/p/\"><script>alert(1)</script>&amp;");
        String page = new String(files.answer(PageFiles.INDEX, meta).orElseThrow().body(), StandardCharsets.UTF_8);
        assertTrue(page.startsWith("<!doctype html><html lang=\"zh-CN\">"), page);
        assertTrue(page.contains("content=\"{&quot;locale&quot;:&quot;zh-CN&quot;,"
                + "&quot;workdir&quot;:&quot;/p/\\&quot;>&lt;script>alert(1)&lt;/script>&amp;amp;&quot;}\""), page);
        assertTrue(page.contains("script-src 'self';") && !page.contains("unsafe"), page);
    }

    @ParameterizedTest
    @CsvSource({"panel.js,text/javascript", "panel.css,text/css", "chunks/one.js?v=1,text/javascript"})
    void filesComeWithTheirType(String path, String type) {
        assertEquals(200, answer(path).status());
        assertEquals(type, answer(path).type());
        assertTrue(files.present());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing.js", "../dev/wave/bridge/Text.class", "%2e%2e/secret", "", "bad%zz"})
    void nothingElseIsThere(String path) {
        assertEquals(404, answer(path).status());
    }

    @Test
    void otherAddressesAreNotOurs() {
        assertEquals(Optional.empty(), files.answer("https://example.org/panel.js", new JsonObject()));
    }

    @Test
    void theThemeTakesTheFirstNameThatTheLookAndFeelHas() {
        Map<String, String> laf = Map.of("TextArea.background", "#2b2b2b", "Label.foreground", "#bbbbbb");
        Map<String, String> theme =
                Theme.variables(name -> Optional.ofNullable(laf.get(name)), "Inter", 13, "Jet\"Brains Mono");
        assertEquals("#2b2b2b", theme.get("--vscode-editor-background"));
        assertEquals("#bbbbbb", theme.get("--vscode-foreground"));
        assertEquals(false, theme.containsKey("--vscode-input-background"), "the panel's own value stays");
        assertEquals("\"JetBrains Mono\", monospace", theme.get("--vscode-editor-font-family"));
        assertEquals("dark", Theme.kind(false, "#2b2b2b"));
        assertEquals("light", Theme.kind(false, "#ffffff"));
        assertEquals("high-contrast", Theme.kind(true, "#000000"));
    }
}
