package dev.wave.bridge.daemon;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.lsp4j.jsonrpc.Endpoint;
import org.eclipse.lsp4j.jsonrpc.RemoteEndpoint;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.json.JsonRpcMethod;
import org.eclipse.lsp4j.jsonrpc.json.MessageJsonHandler;
import org.eclipse.lsp4j.jsonrpc.json.StreamMessageConsumer;
import org.eclipse.lsp4j.jsonrpc.json.StreamMessageProducer;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;

/**
 * JSON-RPC in frames, by lsp4j, which knows no method: parameters and results stay JSON, {@link Wire} gives them shape.
 *
 * <p>One thread reads, one writes. So messages leave in the order in which they were said, and whoever says one never
 * waits for a daemon that does not read.
 */
final class Speech {
    /** It logs a broken pipe with its stack; we say it ourselves, with the reason. Held, or its level would be lost. */
    private static final Logger LSP4J = Logger.getLogger(RemoteEndpoint.class.getName());

    static {
        LSP4J.setLevel(Level.WARNING);
    }

    private final RemoteEndpoint remote;
    private final ThreadPoolExecutor writer;
    private final Consumer<String> broken;

    /** {@code broken} hears once or more that nothing can be read or written any more, and how. */
    Speech(InputStream input, OutputStream output, Peer peer, Consumer<String> broken) {
        this.broken = broken;
        MessageJsonHandler json = new AnyMethod();
        remote = new RemoteEndpoint(new StreamMessageConsumer(output, json), local(peer), Speech::error);
        json.setMethodProvider(remote);
        writer = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(Limits.UNWRITTEN), Speech::writerThread);
        Thread reader = new Thread(() -> read(new StreamMessageProducer(input, json, remote)), "wave-bridge reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Takes and gives JSON, whatever the method. */
    private static final class AnyMethod extends MessageJsonHandler {
        AnyMethod() {
            super(Map.of(), GsonBuilder::serializeNulls);
        }

        @Override
        public JsonRpcMethod getJsonRpcMethod(String name) {
            JsonRpcMethod known = super.getJsonRpcMethod(name); // of its own it knows the cancellation only
            return known != null ? known : JsonRpcMethod.request(name, JsonElement.class, JsonElement.class);
        }
    }

    void tell(String method, JsonElement params) {
        execute(() -> remote.notify(method, params));
    }

    /** Completes {@code answer}; when {@code answer} is over before, by a cancellation or its time limit, says so. */
    void ask(String method, JsonElement params, CompletableFuture<JsonElement> answer) {
        execute(() -> write(method, params, answer));
    }

    private void write(String method, JsonElement params, CompletableFuture<JsonElement> answer) {
        if (answer.isDone()) {
            return; // over before it was said
        }
        CompletableFuture<Object> asked = remote.request(method, params);
        asked.whenComplete((result, fault) -> {
            if (fault == null) {
                answer.complete(result instanceof JsonElement value ? value : JsonNull.INSTANCE);
            } else if (fault instanceof ResponseErrorException refused) {
                ResponseError error = refused.getResponseError();
                JsonElement data = error.getData() instanceof JsonElement value ? value : null;
                answer.completeExceptionally(new Refusal(error.getCode(), error.getMessage(), data));
            } else if (!asked.isCancelled()) {
                broken.accept(said(fault));
            }
        });
        answer.whenComplete((result, fault) -> {
            if (!asked.isDone()) { // over before the answer came: by a cancellation, or its time limit
                execute(() -> asked.cancel(true));
            }
        });
    }

    private void execute(Runnable work) {
        try {
            writer.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException fault) { // lsp4j's JsonRpcException hides the IOException
                    broken.accept(said(fault));
                }
            });
        } catch (RejectedExecutionException full) {
            broken.accept("the bridge does not read");
        }
    }

    /** Waits until all that was said is written. */
    void finish(Duration limit) {
        writer.shutdown();
        try {
            writer.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    void stop() {
        writer.shutdownNow();
    }

    private void read(StreamMessageProducer producer) {
        try {
            producer.listen(remote);
            broken.accept("the bridge closed its output");
        } catch (RuntimeException fault) { // as above
            broken.accept(said(fault));
        }
    }

    private static Endpoint local(Peer peer) {
        return new Endpoint() {
            @Override
            public CompletableFuture<?> request(String method, Object params) {
                return peer.asked(method, json(params));
            }

            @Override
            public void notify(String method, Object params) {
                peer.told(method, json(params));
            }
        };
    }

    private static ResponseError error(Throwable thrown) {
        Throwable fault = Connection.cause(thrown);
        return fault instanceof Refusal refusal
                ? new ResponseError(refusal.code(), refusal.getMessage(), refusal.data())
                : new ResponseError(Refusal.EDITOR_FAILED, said(fault), null);
    }

    private static JsonElement json(Object params) {
        return params instanceof JsonElement json ? json : JsonNull.INSTANCE;
    }

    private static String said(Throwable fault) {
        Throwable cause = fault.getCause() == null ? fault : fault.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static Thread writerThread(Runnable work) {
        Thread thread = new Thread(work, "wave-bridge writer");
        thread.setDaemon(true);
        return thread;
    }
}
