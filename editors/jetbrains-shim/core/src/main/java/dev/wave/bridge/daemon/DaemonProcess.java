package dev.wave.bridge.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * {@code wave-bridge --stdio} as a child process. Its stderr is read from the start: a full pipe would block it, and a
 * failure without its last words helps nobody.
 */
final class DaemonProcess {
    private final List<String> command;
    private final Process process;
    private final Tail tail = new Tail(Limits.STDERR_TAIL);
    private final Thread pump;

    /** Starts it. Raises {@link DaemonLost}, which names the command, when the system can't. */
    DaemonProcess(List<String> command, Map<String, String> environment, Path folder, Consumer<String> log)
            throws DaemonLost {
        this.command = command;
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException fault) {
            throw new DaemonLost(shown() + ": " + fault.getMessage(), fault);
        }
        pump = new Thread(() -> pump(log), "wave-bridge stderr");
        pump.setDaemon(true);
        pump.start();
    }

    InputStream output() {
        return process.getInputStream();
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    long pid() {
        return process.pid();
    }

    /** Completes when it has ended and its last words are read, with the reason that a person is told. */
    CompletableFuture<String> ended() {
        return process.onExit().thenApplyAsync(over -> {
            await(pump, Limits.STDERR_END.toMillis());
            String words = tail.text().strip();
            return shown() + " ended with code " + over.exitValue() + (words.isEmpty() ? "" : ":\n" + words);
        });
    }

    /**
     * Ends it: the end of its input asks for that, then signals insist. Takes {@code 3 × CLOSE_STEP} at most.
     *
     * <p>Its descendants are left alone: the daemon that it may have started serves other editors too.
     */
    void end() {
        Thread closing = new Thread(this::closeInput, "wave-bridge close"); // a full pipe would hold the closer
        closing.setDaemon(true);
        closing.start();
        if (!waitFor()) {
            process.destroy();
            if (!waitFor()) {
                process.destroyForcibly();
                waitFor();
            }
        }
    }

    private void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // It has ended already, which is what was wanted.
        }
    }

    private boolean waitFor() {
        try {
            return process.waitFor(Limits.CLOSE_STEP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String shown() {
        return String.join(" ", command);
    }

    private void pump(Consumer<String> log) {
        byte[] chunk = new byte[8192];
        try (InputStream errors = process.getErrorStream()) {
            for (int count; (count = errors.read(chunk)) >= 0; ) {
                tail.add(chunk, count);
                log.accept(new String(chunk, 0, count, StandardCharsets.UTF_8));
            }
        } catch (IOException gone) {
            // The stream is closed at its end; what was said is kept.
        }
    }

    private static void await(Thread thread, long milliseconds) {
        try {
            thread.join(milliseconds);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
