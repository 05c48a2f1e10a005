package dev.wave.bridge.context;

import com.google.gson.JsonObject;
import java.util.Arrays;

/** Turns offsets of a document into LSP's positions. What lies outside, as after an edit, counts as its nearest end. */
public final class Offsets {
    private final int[] starts; // of the lines
    private final int length;

    /** {@code text} has {@code \n} only, as an IDE's documents have. */
    public Offsets(CharSequence text) {
        length = text.length();
        int[] found = new int[16];
        int count = 1;
        for (int at = 0; at < length; at++) {
            if (text.charAt(at) == '\n') {
                if (count == found.length) {
                    found = Arrays.copyOf(found, count * 2);
                }
                found[count++] = at + 1;
            }
        }
        starts = Arrays.copyOf(found, count);
    }

    /** Gives {@code {line, character}}, both from 0, in UTF-16 units. */
    public JsonObject position(int offset) {
        int inside = Math.max(0, Math.min(offset, length));
        int found = Arrays.binarySearch(starts, inside);
        int line = found >= 0 ? found : -found - 2;
        JsonObject position = new JsonObject();
        position.addProperty("line", line);
        position.addProperty("character", inside - starts[line]);
        return position;
    }

    /** Gives {@code {start, end}}; an end before its start counts as the start. */
    public JsonObject range(int start, int end) {
        JsonObject range = new JsonObject();
        range.add("start", position(start));
        range.add("end", position(Math.max(start, end)));
        return range;
    }
}
