package dev.wave.bridge.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Five starts in three minutes, with a pause that doubles. */
class RestartBudgetTest {
    private final RestartBudget budget = new RestartBudget();

    @Test
    void pausesDoubleUntilTheStartsAreUsedUp() {
        List<Long> pauses = new ArrayList<>();
        Duration now = Duration.ofSeconds(1000);
        for (Optional<Duration> pause = Optional.of(Duration.ZERO); pause.isPresent(); pause = budget.pause(now)) {
            pauses.add(pause.get().toMillis());
            now = now.plus(pause.get());
            budget.started(now);
        }
        assertEquals(List.of(0L, 500L, 1000L, 2000L, 4000L), pauses);
    }

    @Test
    void whatIsLongPastDoesNotCount() {
        for (int second = 0; second < Limits.STARTS; second++) {
            budget.started(Duration.ofSeconds(second));
        }
        assertEquals(Optional.empty(), budget.pause(Duration.ofSeconds(179)));
        assertEquals(Optional.of(Duration.ofSeconds(4)), budget.pause(Duration.ofSeconds(180)));
        assertEquals(Optional.of(Limits.FIRST_PAUSE), budget.pause(Duration.ofSeconds(1000)));
    }

    @Test
    void whoAsksForAStartGetsAFullBudget() {
        for (int start = 0; start < Limits.STARTS; start++) {
            budget.started(Duration.ZERO);
        }
        budget.reset();
        assertEquals(Optional.of(Limits.FIRST_PAUSE), budget.pause(Duration.ZERO));
    }
}
