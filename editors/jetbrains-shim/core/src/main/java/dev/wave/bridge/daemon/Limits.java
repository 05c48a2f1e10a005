package dev.wave.bridge.daemon;

import java.time.Duration;

/** Every bound of the shim. Those of the bridge itself stand in docs/PROTOCOL.md. */
public final class Limits {
    private Limits() {}

    /** The bridge's door looks for a daemon, or starts one, for up to 40 s. */
    public static final Duration INITIALIZE = Duration.ofSeconds(60);

    /** Any other request; the slowest, a restore of a long session, has 60 s in the bridge. */
    public static final Duration REQUEST = Duration.ofSeconds(90);

    /** After a broken pipe: how long to wait for the exit code, which says more. */
    public static final Duration EXIT_AFTER_BREAK = Duration.ofSeconds(2);

    /** Each of the five steps of {@link Connection#close}. */
    public static final Duration CLOSE_STEP = Duration.ofSeconds(1);

    /** For the stderr pump to see the end; a descendant may hold the pipe open. */
    public static final Duration STDERR_END = Duration.ofMillis(500);

    /** Of stderr, kept for a notice. */
    public static final int STDERR_TAIL = 8 * 1024;

    /** Messages that wait because the daemon does not read. */
    public static final int UNWRITTEN = 4096;

    /** Reading the terminal and the problems; the bridge itself waits 2 s (MB3). */
    public static final Duration CONTEXT = Duration.ofMillis(1800);

    /** Messages that wait for a page that is not there yet. */
    public static final int UNSHOWN = 10_000;

    /** Messages of a panel that wait for the daemon. */
    public static final int UNSENT = 1000;

    /** Characters of a terminal that are read; the bridge sends far less. */
    public static final int TERMINAL = 1024 * 1024;

    /** Highlights of one file that are read; the bridge lists far fewer. */
    public static final int PROBLEMS = 10_000;

    /** Starts of the daemon's door within {@link #START_WINDOW}: the next one would end too. */
    public static final int STARTS = 5;

    public static final Duration START_WINDOW = Duration.ofMinutes(3);
    public static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

    /** Bytes of the log, then it begins anew; one older file stays. */
    public static final int LOG = 1024 * 1024;
}
