package dev.wave.bridge.daemon;

import com.google.gson.JsonElement;
import java.util.concurrent.CompletableFuture;

/** What the bridge says to us. Called on the reading thread, in order: do not wait in it. */
public interface Peer {
    /** Gives the result; fails with {@link Refusal} to answer with an error of ours. */
    CompletableFuture<JsonElement> asked(String method, JsonElement params);

    void told(String method, JsonElement params);
}
