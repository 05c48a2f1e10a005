package dev.wave.bridge.daemon;

import com.google.gson.JsonElement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The requests that wait for an answer. Once it has failed, every later one fails at once, for the same reason. */
final class Pending {
    private final Set<CompletableFuture<JsonElement>> waiting = ConcurrentHashMap.newKeySet();
    private volatile String over;

    CompletableFuture<JsonElement> add(Duration limit) {
        CompletableFuture<JsonElement> answer = new CompletableFuture<>();
        waiting.add(answer);
        answer.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        answer.whenComplete((value, fault) -> waiting.remove(answer));
        if (over != null) { // looked at after adding: fail() sets it before it looks at what waits
            answer.completeExceptionally(new DaemonLost(over));
        }
        return answer;
    }

    void fail(String reason) {
        over = reason;
        waiting.forEach(answer -> answer.completeExceptionally(new DaemonLost(reason)));
    }
}
