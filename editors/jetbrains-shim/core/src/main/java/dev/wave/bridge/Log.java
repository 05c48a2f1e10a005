package dev.wave.bridge;

import dev.wave.bridge.daemon.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The file that "Show log" shows: how the bridge was started, what it and the CLI said, why it ended (T4.8).
 *
 * <p>Past its size it begins anew and one older file stays. A log that can't be written is not worth a failure.
 */
public final class Log implements AutoCloseable {
    private final Path file;
    private OutputStream stream;
    private long size;

    public Log(Path file) {
        this.file = file;
    }

    public Path file() {
        return file;
    }

    /** Writes a text with the time before it. */
    public synchronized void say(String text) {
        write(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + text.stripTrailing() + "\n");
    }

    /** Writes what another program said, as it said it. */
    public synchronized void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            if (stream != null && size + bytes.length > Limits.LOG) {
                close();
                Files.move(file, older(), StandardCopyOption.REPLACE_EXISTING);
            }
            if (stream == null) {
                Files.createDirectories(file.getParent());
                stream = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                size = Files.size(file);
            }
            stream.write(bytes);
            size += bytes.length;
        } catch (IOException full) {
            stream = null; // tried again with the next line
        }
    }

    @Override
    public synchronized void close() throws IOException {
        OutputStream old = stream;
        stream = null;
        if (old != null) {
            old.close();
        }
    }

    private Path older() {
        return file.resolveSibling(file.getFileName() + ".1");
    }
}
