package dev.wave.bridge.context;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Limits;
import java.util.List;

/** What an IDE can say of the problems in its active file (M2.1), and the form in which the bridge takes it. */
public sealed interface Problems {
    /**
     * The highlights of a file. {@code uri} and {@code roots} as in LSP; {@code version} is the document's;
     * {@code finished}: the analysis of that version has ended (MB6).
     */
    record Found(
            String uri, List<String> roots, CharSequence text, long version, boolean finished, List<Highlight> highlights)
            implements Problems {}

    /** A reason of docs/PROTOCOL.md (noEditor, unreadable) or a text. */
    record Unavailable(String reason) implements Problems {}

    /**
     * One highlight: offsets into the text, which may be stale after an edit; the number that the platform gives its
     * severity; null where there is no description, or nobody said who found it.
     */
    record Highlight(int start, int end, int severity, String description, String source) {}

    /** HighlightSeverity.ERROR, WARNING, WEAK_WARNING, GENERIC_SERVER_ERROR_OR_WARNING: the least that counts as each. */
    int ERROR = 400;
    int WARNING = 300;
    int WEAK_WARNING = 200;
    int SERVER = 100;

    /** Gives the bridge's form. */
    default JsonObject facts() {
        JsonObject facts = new JsonObject();
        if (this instanceof Unavailable unavailable) {
            facts.addProperty("source", "unavailable");
            facts.addProperty("reason", unavailable.reason);
        } else if (this instanceof Found found) {
            facts.addProperty("uri", found.uri);
            JsonArray roots = new JsonArray();
            found.roots.forEach(roots::add);
            facts.add("roots", roots);
            facts.addProperty("version", found.version);
            facts.addProperty("stale", !found.finished);
            facts.add("diagnostics", diagnostics(found));
        }
        return facts;
    }

    private static JsonArray diagnostics(Found found) {
        Offsets offsets = new Offsets(found.text);
        JsonArray diagnostics = new JsonArray();
        found.highlights.stream()
                .filter(highlight -> highlight.description != null && !highlight.description.isBlank())
                .filter(highlight -> highlight.severity >= SERVER) // below are colours and hints of the editor itself
                .limit(Limits.PROBLEMS)
                .forEach(highlight -> {
                    JsonObject diagnostic = new JsonObject();
                    diagnostic.add("range", offsets.range(highlight.start, highlight.end));
                    diagnostic.addProperty("severity", severity(highlight.severity));
                    diagnostic.addProperty("message", highlight.description);
                    if (highlight.source != null) {
                        diagnostic.addProperty("source", highlight.source);
                    }
                    diagnostics.add(diagnostic);
                });
        return diagnostics;
    }

    /** Gives LSP's number: 1 error, 2 warning, 3 information. What a server said without a level is a warning. */
    private static int severity(int severity) {
        return severity >= ERROR ? 1 : severity >= WARNING ? 2 : severity >= WEAK_WARNING ? 3 : 2;
    }
}
