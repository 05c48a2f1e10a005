package dev.wave.bridge.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.wave.bridge.context.Terminal.Line;
import dev.wave.bridge.daemon.Limits;
import dev.wave.bridge.daemon.Wire;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a terminal shows becomes the bridge's facts; whatever has to be judged is left to the bridge. */
class TerminalTest {
    @Test
    void rowsAreJoinedWhereTheyWereWrappedAndPaddingIsNoText() {
        List<Line> rows = List.of(
                new Line("$ make\0\0\0", false),
                new Line("a long li", true),
                new Line("ne  ", false),
                new Line("  indented", false),
                new Line("", false),
                new Line("$ ", false),
                new Line("\0\0\0\0", false));
        assertEquals("$ make\na long line\n  indented\n\n$", Terminal.text(rows));
    }

    @Test
    @Tag("M1.5")
    void anEmptyScreenIsNoOutput() {
        assertEquals(
                "{\"source\":\"unavailable\",\"reason\":\"noOutput\"}",
                Wire.text(new Terminal.Screen(List.of(new Line("\0\0", false), new Line("", true))).facts()));
    }

    @Test
    void ofAHugeBufferTheEndIsKept() {
        String text = Terminal.text(List.of(new Line("x".repeat(Limits.TERMINAL), false), new Line("end", false)));
        assertEquals(Limits.TERMINAL, text.length());
        assertEquals("x\nend", text.substring(text.length() - 5));
    }

    @Test
    @Tag("M1.1")
    void aCommandIsSaidWithWhatIsKnownOfIt() {
        assertEquals(
                "{\"source\":\"command\",\"command\":\"make\",\"output\":\"no rule\",\"rendered\":true,\"running\":false,"
                        + "\"exitCode\":2}",
                Wire.text(new Terminal.Command("make", "no rule", 2, false).facts()));
        assertEquals(
                "{\"source\":\"command\",\"command\":\"top\",\"output\":\"\",\"rendered\":true,\"running\":true}",
                Wire.text(new Terminal.Command("top", "", null, true).facts()));
    }

    @Test
    @Tag("MB4")
    void ofSeveralEnginesTheOneCountsThatCanReadTheActiveTerminal() {
        Optional<Terminal> classic = Optional.of(new Terminal.Unavailable("notShell"));
        Optional<Terminal> blocks = Optional.of(new Terminal.Command("ls", "", 0, false));
        assertEquals(blocks.get(), Terminal.best(Stream.of(classic, blocks)));
        assertEquals(classic.get(), Terminal.best(Stream.of(Optional.empty(), classic)));
        assertEquals(new Terminal.Unavailable("noTerminal"), Terminal.best(Stream.of(Optional.empty())));
    }
}
