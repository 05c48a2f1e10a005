package dev.wave.bridge.notice;

import java.util.List;

/**
 * What a balloon shows: a text for a person, verbatim, and what can be done about it. {@code closed} is run when it is
 * gone, after a button or without one.
 */
public record Notice(Level level, String text, List<Action> actions, Runnable closed) {
    private static final Runnable NOBODY = () -> {};

    /** A notice whose end concerns nobody. */
    public Notice(Level level, String text, List<Action> actions) {
        this(level, text, actions, NOBODY);
    }

    /** As in {@code wave/editor/notify}. */
    public enum Level {
        INFO,
        WARNING,
        ERROR;

        /** Gives the level of that name; what is unknown is the worst. */
        public static Level named(String name) {
            return switch (name == null ? "" : name) {
                case "info" -> INFO;
                case "warning" -> WARNING;
                default -> ERROR;
            };
        }
    }

    /** A button. The {@code run} is called at most once, on any thread. */
    public record Action(String label, Runnable run) {}
}
