package dev.wave.bridge;

import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.notice.Notice;
import java.util.concurrent.CompletableFuture;

/**
 * All that the core wants of an IDE. Called on any thread, none of its methods waits; a future that fails is answered
 * as a failure.
 */
public interface Editor {
    /** Shows a file, {@code line} and {@code column} from 0; false: it is not there. */
    CompletableFuture<Boolean> openFile(String path, int line, int column, boolean focus);

    /** Opens an address in the system's browser. */
    CompletableFuture<Boolean> openUrl(String url);

    CompletableFuture<Boolean> copy(String text);

    void show(Notice notice);

    /** Opens the settings page. */
    void openSettings();

    /** Shows the log file. */
    void openLog();

    /** Reads the active terminal, at this moment (M1.2). */
    CompletableFuture<Terminal> terminal();

    /** Reads the problems of the active file. */
    CompletableFuture<Problems> problems();
}
