package dev.wave.bridge.panel;

import com.google.gson.JsonElement;

/** What shows a panel. None of its methods waits. */
public interface Page {
    /** Runs a script in the page. */
    void run(String script);

    /** The conversation has another title. */
    void title(String title);

    /** So many things wait for the user, or were not seen yet. */
    void badge(int waiting);

    /** The user asked for something of the editor: {@code settings}, {@code showLogs}, {@code openTab} … */
    void command(String id, JsonElement arguments);
}
