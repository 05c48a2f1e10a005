package dev.wave.bridge.daemon;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/** How often, and after which pause, a bridge that ended is started again. Knows no clock: times are arguments. */
final class RestartBudget {
    private final ArrayDeque<Duration> starts = new ArrayDeque<>();

    /** Notes a start at {@code now}, since any fixed moment. */
    void started(Duration now) {
        forget(now);
        starts.add(now);
    }

    /** Gives the pause before the next start, doubled with each one in the window; none when they are used up. */
    Optional<Duration> pause(Duration now) {
        forget(now);
        if (starts.size() >= Limits.STARTS) {
            return Optional.empty();
        }
        Duration pause = Limits.FIRST_PAUSE.multipliedBy(1L << Math.max(0, starts.size() - 1));
        return Optional.of(pause.compareTo(Limits.LONGEST_PAUSE) > 0 ? Limits.LONGEST_PAUSE : pause);
    }

    /** A person asked for a start: what was is forgotten. */
    void reset() {
        starts.clear();
    }

    private void forget(Duration now) {
        while (!starts.isEmpty() && starts.peek().plus(Limits.START_WINDOW).compareTo(now) <= 0) {
            starts.remove();
        }
    }
}
