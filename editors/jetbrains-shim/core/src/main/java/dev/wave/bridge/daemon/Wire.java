package dev.wave.bridge.daemon;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParseException;

/**
 * Between records and JSON. A component that is null is left out; a null inside a JsonObject stays, for a panel's
 * message passes unread and {@code "result": null} is an answer.
 */
public final class Wire {
    private static final Gson RECORDS = new GsonBuilder().disableHtmlEscaping().create();
    private static final Gson VERBATIM = new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    private Wire() {}

    /** Gives the JSON of a record; JSON passes as it is. */
    public static JsonElement encode(Object value) {
        return value instanceof JsonElement json ? json : RECORDS.toJsonTree(value);
    }

    /** Gives the text of JSON, nulls included. */
    public static String text(JsonElement json) {
        return VERBATIM.toJson(json);
    }

    /** Gives JSON from a text. Raises {@link JsonParseException}. */
    public static JsonElement parse(String text) {
        JsonElement json = VERBATIM.fromJson(text, JsonElement.class);
        return json == null ? JsonNull.INSTANCE : json;
    }

    /** Gives what JSON says as {@code shape}; nothing and null count as {@code {}}. Raises {@link JsonParseException}. */
    public static <T> T decode(JsonElement json, Class<T> shape) {
        if (JsonElement.class.isAssignableFrom(shape)) {
            return shape.cast(json == null ? JsonNull.INSTANCE : json);
        }
        T value = RECORDS.fromJson(json, shape);
        return value == null ? RECORDS.fromJson("{}", shape) : value;
    }
}
