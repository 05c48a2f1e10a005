package dev.wave.bridge.daemon;

import com.google.gson.JsonElement;

/** An error answer, of the bridge to us or of us to the bridge. {@code data.kind} is the stable key, never the text. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int EDITOR_FAILED = -31014;

    private final int code;
    private final transient JsonElement data;

    public Refusal(int code, String message, JsonElement data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    public int code() {
        return code;
    }

    /** Gives {@code error.data.kind}, or "" where there is none. */
    public String kind() {
        boolean named = data != null && data.isJsonObject() && data.getAsJsonObject().has("kind");
        return named ? data.getAsJsonObject().get("kind").getAsString() : "";
    }

    /** Gives {@code error.data}; null where there is none. */
    public JsonElement data() {
        return data;
    }
}
