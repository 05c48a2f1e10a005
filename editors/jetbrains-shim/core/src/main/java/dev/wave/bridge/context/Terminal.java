package dev.wave.bridge.context;

import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Limits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an IDE can say of its active terminal (M1.1, MB2), and the forms in which the bridge takes it. Nothing is cut,
 * coloured or guessed here: that is the bridge's.
 */
public sealed interface Terminal {
    /** A command that the shell integration has bounded; {@code exitCode} null: it did not say, or it still runs. */
    record Command(String command, String output, Integer exitCode, boolean running) implements Terminal {}

    /** The text of a terminal without that, history first. */
    record Screen(List<Line> lines) implements Terminal {}

    /** A reason of docs/PROTOCOL.md (noTerminal, notShell, noOutput, …) or a text. */
    record Unavailable(String reason) implements Terminal {}

    /** One row of a terminal; {@code wrapped}: the next row goes on with it. */
    record Line(String text, boolean wrapped) {}

    /** Gives what the engines of an IDE make of the active terminal: what one can read, else why none can. */
    static Terminal best(Stream<Optional<Terminal>> readings) {
        List<Terminal> found = readings.flatMap(Optional::stream).toList();
        return found.stream()
                .filter(reading -> !(reading instanceof Unavailable))
                .findFirst()
                .or(() -> found.stream().findFirst())
                .orElse(new Unavailable("noTerminal"));
    }

    /** Gives the bridge's form. */
    default JsonObject facts() {
        JsonObject facts = new JsonObject();
        if (this instanceof Command command) {
            facts.addProperty("source", "command");
            facts.addProperty("command", command.command);
            facts.addProperty("output", tail(command.output));
            facts.addProperty("rendered", true);
            facts.addProperty("running", command.running);
            if (command.exitCode != null) {
                facts.addProperty("exitCode", command.exitCode);
            }
        } else if (this instanceof Screen screen) {
            String text = text(screen.lines);
            if (text.isEmpty()) {
                return new Unavailable("noOutput").facts();
            }
            facts.addProperty("source", "screen");
            facts.addProperty("text", text);
        } else if (this instanceof Unavailable unavailable) {
            facts.addProperty("source", "unavailable");
            facts.addProperty("reason", unavailable.reason);
        }
        return facts;
    }

    /** Joins rows to lines: a wrapped row has no end of its own, blank ones at the end are no output. */
    static String text(List<Line> rows) {
        StringBuilder text = new StringBuilder();
        for (Line row : rows) {
            // a terminal pads its rows: with NUL where nothing was written, with blanks where it was cleared
            String shown = row.text.replace('\0', ' ');
            text.append(row.wrapped ? shown : shown.stripTrailing() + "\n");
        }
        return tail(text.toString().stripTrailing());
    }

    private static String tail(String text) {
        return text.length() <= Limits.TERMINAL ? text : text.substring(text.length() - Limits.TERMINAL);
    }
}
