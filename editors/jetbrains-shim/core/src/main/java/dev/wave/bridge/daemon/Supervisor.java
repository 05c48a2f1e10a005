package dev.wave.bridge.daemon;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps one connection alive: starts it, starts it again within a budget, and says each change.
 *
 * <p>All of it happens on one thread of its own, so no change overtakes another and no caller waits.
 */
public final class Supervisor implements AutoCloseable {
    /** Makes a connection and introduces the editor; may take its time. */
    public interface Starter {
        Connection start() throws DaemonLost;

        CompletableFuture<?> greet(Connection connection);
    }

    /** Hears the changes, in order, on the supervisor's thread. */
    public interface Listener {
        /** A bridge is there; {@code again} unless it is the first. */
        void ready(Connection connection, boolean again);

        /** None is there. {@code retry}: the pause before the next start; none: a person must ask for it. */
        void lost(String reason, Optional<Duration> retry);
    }

    private final Starter starter;
    private final Listener listener;
    private final RestartBudget budget = new RestartBudget();
    private final ScheduledThreadPoolExecutor thread;
    private Connection connection;
    private boolean greeted;
    private boolean closed;
    private int planned; // counts plans for a start: a plan that is not the latest does nothing

    public Supervisor(Starter starter, Listener listener) {
        this.starter = starter;
        this.listener = listener;
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "wave-bridge supervisor");
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts, or when one is there or was given up, starts anew, whatever the budget says. */
    public void restart() {
        run(() -> {
            budget.reset();
            planned++;
            drop();
            begin();
        });
    }

    /** Ends the bridge's door and this, in bounded time; nothing is heard afterwards. */
    @Override
    public void close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        run(() -> {
            closed = true;
            drop();
            done.complete(null);
        });
        thread.shutdown();
        done.completeOnTimeout(null, Limits.CLOSE_STEP.multipliedBy(5).toMillis(), TimeUnit.MILLISECONDS).join();
    }

    private void begin() {
        budget.started(now());
        try {
            connection = starter.start();
        } catch (DaemonLost fault) { // the system can't start it: nor can it a second later
            listener.lost(fault.getMessage(), Optional.empty());
            return;
        }
        Connection started = connection;
        started.ended().thenAccept(reason -> run(() -> over(started, reason)));
        try {
            starter.greet(started).get();
        } catch (ExecutionException fault) {
            over(started, reason(Connection.cause(fault.getCause())));
            return;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return;
        }
        listener.ready(started, greeted);
        greeted = true;
    }

    private void over(Connection which, String reason) {
        if (which == connection && !closed) { // else it was dropped on purpose
            drop();
            failed(reason);
        }
    }

    private void failed(String reason) {
        Optional<Duration> pause = budget.pause(now());
        listener.lost(reason, pause);
        int plan = ++planned;
        pause.ifPresent(wait -> thread.schedule(
                () -> {
                    if (plan == planned && !closed) {
                        begin();
                    }
                },
                wait.toMillis(),
                TimeUnit.MILLISECONDS));
    }

    private void drop() {
        Connection old = connection;
        connection = null;
        if (old != null) {
            old.close();
        }
    }

    private void run(Runnable work) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException over) {
            // It is closed.
        }
    }

    private static String reason(Throwable fault) {
        if (fault instanceof TimeoutException) {
            return "The bridge did not answer within " + Limits.INITIALIZE.toSeconds() + " s";
        }
        return fault.getMessage() == null ? fault.getClass().getSimpleName() : fault.getMessage();
    }

    private static Duration now() {
        return Duration.ofNanos(System.nanoTime());
    }
}
