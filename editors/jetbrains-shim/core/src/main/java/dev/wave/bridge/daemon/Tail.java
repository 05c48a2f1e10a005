package dev.wave.bridge.daemon;

import java.nio.charset.StandardCharsets;

/** The last bytes of a stream. Safe to read while another thread adds. */
final class Tail {
    private final byte[] ring;
    private long total;

    Tail(int size) {
        ring = new byte[size];
    }

    synchronized void add(byte[] data, int count) {
        for (int at = Math.max(0, count - ring.length); at < count; at++) {
            ring[(int) ((total + at) % ring.length)] = data[at];
        }
        total += count;
    }

    /** Gives them as text; what does not begin the stream begins with a whole line, if it has one. */
    synchronized String text() {
        int kept = (int) Math.min(total, ring.length);
        byte[] found = new byte[kept];
        for (int at = 0; at < kept; at++) {
            found[at] = ring[(int) ((total - kept + at) % ring.length)];
        }
        String text = new String(found, StandardCharsets.UTF_8);
        return total > kept ? "…" + text.substring(text.indexOf('\n') + 1) : text;
    }
}
