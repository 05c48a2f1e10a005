package dev.wave.bridge.panel;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.wave.bridge.daemon.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The scripts that the shim runs in the panel's page. What the page says comes back through the host's query. */
public final class PageScript {
    /** Names of the variables that the host's query call is made of. */
    public static final String TEXT = "text";

    public static final String DONE = "function () { done(); }";
    public static final String FAILED = "function () { failed(); }";

    private static final String ATTACH = resource("attach.js");

    private PageScript() {}

    /** Gives what connects the page, {@code query} being the host's call with the three parts above. */
    public static String attach(String query) {
        return ATTACH.replace("__QUERY__", query);
    }

    /** Gives what hands the page one message. */
    public static String receive(JsonObject message) {
        return "window.__waveReceive(" + literal(Wire.text(message)) + ");";
    }

    /** Gives what sets the page's colours; may be run again at any time. */
    public static String theme(String kind, Map<String, String> variables) {
        JsonObject colours = new JsonObject();
        variables.forEach(colours::addProperty);
        return "(function (v) { for (var k in v) document.documentElement.style.setProperty(k, v[k]);"
                + " document.body.classList.remove('vscode-light', 'vscode-dark', 'vscode-high-contrast');"
                + " document.body.classList.add(" + literal("vscode-" + kind) + "); })(" + safe(Wire.text(colours)) + ");";
    }

    /** Gives what presses a key in the page, for one that the IDE took before the page could see it. */
    public static String press(Shortcut shortcut) {
        JsonObject event = new JsonObject();
        event.addProperty("key", shortcut.key());
        event.addProperty("code", shortcut.code());
        event.addProperty("ctrlKey", shortcut.control());
        event.addProperty("metaKey", shortcut.meta());
        event.addProperty("shiftKey", shortcut.shift());
        event.addProperty("bubbles", true);
        event.addProperty("cancelable", true);
        return "(document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', "
                + safe(Wire.text(event)) + "));";
    }

    private static String literal(String text) {
        return safe(Wire.text(new JsonPrimitive(text)));
    }

    /** JSON is JavaScript but for two line ends; {@code <} could end a script element. */
    private static String safe(String json) {
        return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    private static String resource(String name) {
        try (InputStream stream = PageScript.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
