package dev.wave.bridge.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.wave.bridge.context.Problems.Highlight;
import dev.wave.bridge.daemon.Wire;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Highlights of an IDE become LSP diagnostics. */
class ProblemsTest {
    private static final String TEXT = "ab\n\n\uD83D\uDE00c\nend";

    @ParameterizedTest(name = "{0} is {1}:{2}")
    @CsvSource({"0,0,0", "2,0,2", "3,1,0", "4,2,0", "6,2,2", "7,2,3", "8,3,0", "11,3,3", "99,3,3", "-5,0,0"})
    void anOffsetIsAPlaceInUtf16AndOneOutsideTheNearestEnd(int offset, int line, int character) {
        String wanted = "{\"line\":" + line + ",\"character\":" + character + "}";
        assertEquals(wanted, Wire.text(new Offsets(TEXT).position(offset)));
    }

    @Test
    void anEmptyTextHasOnePlace() {
        assertEquals("{\"line\":0,\"character\":0}", Wire.text(new Offsets("").position(7)));
    }

    @ParameterizedTest(name = "severity {0} is {1}")
    @CsvSource({"400,1", "1000,1", "300,2", "350,2", "200,3", "100,2"})
    @Tag("M2.1")
    void severitiesAreLsps(int platform, int lsp) {
        String facts = Wire.text(found(true, new Highlight(0, 2, platform, "odd", "Inspection")).facts());
        assertEquals(
                "{\"uri\":\"file:///a.py\",\"roots\":[\"/p\"],\"version\":3,\"stale\":false,\"diagnostics\":[{\"range\":"
                        + "{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,\"character\":2}},\"severity\":" + lsp
                        + ",\"message\":\"odd\",\"source\":\"Inspection\"}]}",
                facts);
    }

    @Test
    void whatIsNoProblemIsLeftOut() {
        Problems.Found found = found(
                true,
                new Highlight(0, 1, 10, "a colour", null),
                new Highlight(0, 1, 400, null, null),
                new Highlight(0, 1, 400, " ", null));
        assertEquals(0, found.facts().getAsJsonArray("diagnostics").size());
    }

    @Test
    @Tag("MB6")
    void anUnfinishedAnalysisIsSaid() {
        assertEquals(true, found(false).facts().get("stale").getAsBoolean());
        assertEquals(false, found(true).facts().get("stale").getAsBoolean());
    }

    private static Problems.Found found(boolean finished, Highlight... highlights) {
        return new Problems.Found("file:///a.py", List.of("/p"), TEXT, 3, finished, List.of(highlights));
    }
}
