package dev.wave.bridge.context;

import com.google.gson.JsonObject;

/** Selected text of a file; lines count from 0, as the IDE has them. */
public record Selection(String path, int line, int endLine, String text) {
    /** Gives the parameters of {@code host/insert}; a last line of which nothing is selected does not count. */
    public JsonObject insertion() {
        int last = text.endsWith("\n") && endLine > line ? endLine - 1 : endLine;
        JsonObject selection = new JsonObject();
        selection.addProperty("path", path);
        selection.addProperty("line", line + 1);
        selection.addProperty("endLine", last + 1);
        selection.addProperty("text", text);
        JsonObject params = new JsonObject();
        params.add("selection", selection);
        return params;
    }
}
