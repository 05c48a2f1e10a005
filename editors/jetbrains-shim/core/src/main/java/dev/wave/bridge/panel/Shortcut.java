package dev.wave.bridge.panel;

import java.util.List;

/**
 * A key of the panel that an IDE takes for itself. {@code stroke} is what Swing calls it, the rest what the page does.
 */
public record Shortcut(String stroke, String key, String code, boolean control, boolean meta, boolean shift) {
    /** Those that must reach the page: prompt history, find, background, mode, stop. */
    public static List<Shortcut> all(boolean mac) {
        String command = mac ? "meta" : "control";
        return List.of(
                new Shortcut(command + " R", "r", "KeyR", !mac, mac, false),
                new Shortcut(command + " F", "f", "KeyF", !mac, mac, false),
                new Shortcut("control B", "b", "KeyB", true, false, false),
                new Shortcut("shift TAB", "Tab", "Tab", false, false, true),
                new Shortcut("ESCAPE", "Escape", "Escape", false, false, false));
    }
}
