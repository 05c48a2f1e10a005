package dev.wave.bridge.panel;

import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The panel's bundle, out of the plugin's resources, at an address that never leaves the browser: no server listens.
 *
 * <p>{@code localhost} addresses are secure contexts, which the clipboard asks for.
 */
public final class PageFiles {
    public static final String ORIGIN = "http://wave.localhost/";
    public static final String INDEX = ORIGIN + "index.html";

    private static final String FOLDER = "/panel/";
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'";
    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript",
            "css", "text/css",
            "html", "text/html",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "woff2", "font/woff2",
            "ttf", "font/ttf",
            "wasm", "application/wasm");

    private final Class<?> near; // whose jar holds the bundle

    /** One answer; text is UTF-8. */
    public record Reply(int status, String type, byte[] body) {}

    public PageFiles(Class<?> near) {
        this.near = near;
    }

    /** Says whether the plugin was built with the panel. */
    public boolean present() {
        return read("panel.js").isPresent();
    }

    /** Answers a request for one of our addresses; empty for any other. {@code meta}: the page's facts of its host. */
    public Optional<Reply> answer(String url, JsonObject meta) {
        if (!url.startsWith(ORIGIN)) {
            return Optional.empty();
        }
        String path = path(url);
        if (path.equals("index.html")) {
            return Optional.of(new Reply(200, "text/html", index(meta).getBytes(StandardCharsets.UTF_8)));
        }
        return Optional.of(read(path)
                .map(body -> new Reply(200, type(path), body))
                .orElseGet(() -> new Reply(404, "text/plain", new byte[0])));
    }

    private static String index(JsonObject meta) {
        String language = meta.has("locale") ? meta.get("locale").getAsString() : "en";
        return "<!doctype html><html lang=\"" + escaped(language) + "\"><head><meta charset=\"utf-8\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">"
                + "<meta name=\"wave-host\" content=\"" + escaped(Wire.text(meta)) + "\">"
                + "<link rel=\"stylesheet\" href=\"panel.css\"></head>"
                + "<body><div id=\"root\"></div><script type=\"module\" src=\"panel.js\"></script></body></html>";
    }

    private static String path(String url) {
        try {
            String path = URI.create(url).getPath();
            return path.substring(1);
        } catch (IllegalArgumentException odd) {
            return "";
        }
    }

    private Optional<byte[]> read(String path) {
        if (path.isEmpty() || path.contains("..")) {
            return Optional.empty();
        }
        try (InputStream stream = near.getResourceAsStream(FOLDER + path)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        } catch (IOException fault) {
            return Optional.empty();
        }
    }

    private static String type(String path) {
        return TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "application/octet-stream");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }
}
