package dev.wave.bridge.daemon;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.wave.bridge.generated.BridgeApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One conversation with the bridge: a process and the requests that wait for it.
 *
 * <p>Nothing here blocks its caller but {@link #close}. When the process ends, every request that waits fails with the
 * reason; lsp4j by itself would leave them waiting for ever, hence the table of our own.
 */
public final class Connection implements AutoCloseable {
    private final DaemonProcess process;
    private final Pending pending = new Pending();
    private final Speech speech;
    private final CompletableFuture<String> ended;

    private Connection(DaemonProcess process, Peer peer) {
        this.process = process;
        this.ended = process.ended().thenApply(this::fail);
        this.speech = new Speech(process.output(), process.input(), peer, this::broken);
    }

    /** Starts the bridge's door; {@code log} gets its stderr. Raises {@link DaemonLost} when the system can't. */
    public static Connection start(
            List<String> command, Map<String, String> environment, Path folder, Peer peer, Consumer<String> log)
            throws DaemonLost {
        return new Connection(new DaemonProcess(command, environment, folder, log), peer);
    }

    /** Completes with the reason when the process has ended and all that waited for it has failed. */
    public CompletableFuture<String> ended() {
        return ended.copy();
    }

    /** Says which process it is, for a notice or a log. */
    public long pid() {
        return process.pid();
    }

    /** Introduces the editor and gives the abilities of the bridge. */
    public CompletableFuture<BridgeApi.Abilities> initialize(JsonObject introduction, Duration limit) {
        return ask("initialize", introduction, limit).thenApply(answer -> {
            tell("initialized", new JsonObject());
            JsonObject experimental = member(member(answer, "capabilities"), "experimental");
            return Wire.decode(member(experimental, "wave"), BridgeApi.Abilities.class);
        });
    }

    /** Asks; fails with {@link Refusal}, {@link DaemonLost}, or a TimeoutException. Cancelling it tells the bridge. */
    public <P, R> CompletableFuture<R> ask(BridgeApi.Request<P, R> request, P params) {
        CompletableFuture<JsonElement> asked = ask(request.method(), Wire.encode(params), Limits.REQUEST);
        CompletableFuture<R> answer = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean interrupt) {
                asked.cancel(interrupt);
                return super.cancel(interrupt);
            }
        };
        asked.whenComplete((json, fault) -> {
            if (fault != null) {
                answer.completeExceptionally(cause(fault));
                return;
            }
            try {
                answer.complete(Wire.decode(json, request.result()));
            } catch (JsonParseException odd) {
                answer.completeExceptionally(odd);
            }
        });
        return answer;
    }

    public <P> void tell(BridgeApi.Notification<P> notification, P params) {
        tell(notification.method(), Wire.encode(params));
    }

    /** Carries a panel's message, unread. */
    public void carry(String panelId, JsonObject message) {
        JsonObject params = new JsonObject();
        params.addProperty("panelId", panelId);
        params.add("message", message);
        tell(BridgeApi.BridgeNotifications.PANEL_MESSAGE.method(), params);
    }

    /** Tells; what can't be said any more is not said. */
    public void tell(String method, JsonElement params) {
        speech.tell(method, params);
    }

    /** Asks, within {@code limit}. */
    public CompletableFuture<JsonElement> ask(String method, JsonElement params, Duration limit) {
        CompletableFuture<JsonElement> answer = pending.add(limit);
        speech.ask(method, params, answer);
        return answer;
    }

    /** Says good-bye and ends the process, in {@code 5 × CLOSE_STEP} at most. May be called often. */
    @Override
    public void close() {
        if (!ended.isDone()) {
            ask("shutdown", JsonNull.INSTANCE, Limits.CLOSE_STEP)
                    .exceptionally(fault -> JsonNull.INSTANCE) // it is ended all the same
                    .join();
            tell("exit", JsonNull.INSTANCE);
            speech.finish(Limits.CLOSE_STEP);
        }
        process.end();
        speech.stop();
    }

    /**
     * The pipe broke. The exit code and the last words say more than "broken pipe", and come a moment later; a process
     * that lives on without its pipes is of no use and is ended.
     */
    private void broken(String how) {
        ended.copy()
                .orTimeout(Limits.EXIT_AFTER_BREAK.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> {
                    pending.fail(how);
                    process.end();
                    return how;
                });
    }

    private String fail(String reason) {
        pending.fail(reason);
        return reason;
    }

    private static JsonObject member(JsonElement json, String name) {
        JsonElement found = json != null && json.isJsonObject() ? json.getAsJsonObject().get(name) : null;
        return found != null && found.isJsonObject() ? found.getAsJsonObject() : new JsonObject();
    }

    /** Gives the fault without the wrapping of futures. */
    public static Throwable cause(Throwable fault) {
        return fault instanceof CompletionException && fault.getCause() != null ? cause(fault.getCause()) : fault;
    }
}
