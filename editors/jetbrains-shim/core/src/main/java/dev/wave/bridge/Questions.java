package dev.wave.bridge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.daemon.Connection;
import dev.wave.bridge.daemon.Limits;
import dev.wave.bridge.daemon.Refusal;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.generated.BridgeApi.ClientRequests;
import dev.wave.bridge.generated.BridgeApi.ContextFacts;
import dev.wave.bridge.generated.BridgeApi.ContextRead;
import dev.wave.bridge.generated.BridgeApi.Copy;
import dev.wave.bridge.generated.BridgeApi.Done;
import dev.wave.bridge.generated.BridgeApi.NoticeAction;
import dev.wave.bridge.generated.BridgeApi.Notified;
import dev.wave.bridge.generated.BridgeApi.Notify;
import dev.wave.bridge.generated.BridgeApi.OpenFile;
import dev.wave.bridge.generated.BridgeApi.OpenUrl;
import dev.wave.bridge.generated.BridgeApi.Request;
import dev.wave.bridge.notice.Notice;
import dev.wave.bridge.notice.Notice.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers what the bridge asks an editor. */
final class Questions {
    private final Editor editor;
    private final Supplier<JsonObject> settings;

    Questions(Editor editor, Supplier<JsonObject> settings) {
        this.editor = editor;
        this.settings = settings;
    }

    CompletableFuture<JsonElement> answer(String method, JsonElement params) {
        try {
            return route(method, params);
        } catch (JsonParseException odd) {
            return refuse(Refusal.INVALID_PARAMS, method + ": " + odd.getMessage());
        }
    }

    private CompletableFuture<JsonElement> route(String method, JsonElement params) {
        return switch (method) {
            case "wave/context/read" -> read(of(ClientRequests.CONTEXT_READ, params));
            case "wave/editor/openFile" -> open(of(ClientRequests.EDITOR_OPEN_FILE, params), true);
            case "wave/editor/reveal" -> open(of(ClientRequests.EDITOR_REVEAL, params), false);
            case "wave/editor/openUrl" -> openUrl(of(ClientRequests.EDITOR_OPEN_URL, params));
            case "wave/editor/copy" -> copy(of(ClientRequests.EDITOR_COPY, params));
            case "wave/editor/notify" -> notify(of(ClientRequests.EDITOR_NOTIFY, params));
            case "window/showMessageRequest" -> showMessage(params.getAsJsonObject());
            case "workspace/configuration" -> CompletableFuture.completedFuture(configuration(params));
            case "client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create" ->
                CompletableFuture.completedFuture(JsonNull.INSTANCE);
            default -> refuse(Refusal.METHOD_NOT_FOUND, "no such method: " + method);
        };
    }

    private CompletableFuture<JsonElement> open(OpenFile file, boolean focus) {
        return done(editor.openFile(file.path(), fromZero(file.line()), fromZero(file.column()), focus));
    }

    private CompletableFuture<JsonElement> openUrl(OpenUrl address) {
        return done(editor.openUrl(address.url()));
    }

    private CompletableFuture<JsonElement> copy(Copy copied) {
        return done(editor.copy(copied.text()));
    }

    /** Shows it; with buttons the answer says which one was pressed, or that it was closed without one. */
    private CompletableFuture<JsonElement> notify(Notify notice) {
        CompletableFuture<JsonElement> answer = new CompletableFuture<>();
        List<Notice.Action> buttons = new ArrayList<>();
        for (NoticeAction action : notice.actions() == null ? List.<NoticeAction>of() : notice.actions()) {
            buttons.add(new Notice.Action(action.title(), () -> {
                pressed(action.id());
                answer.complete(Wire.encode(new Notified(true, action.id())));
            }));
        }
        Runnable closed = () -> answer.complete(Wire.encode(new Notified(true, null)));
        editor.show(new Notice(Level.named(notice.level()), notice.message(), buttons, closed));
        if (buttons.isEmpty()) {
            closed.run(); // there is nothing to wait for
        }
        return answer;
    }

    /** Does the editor's part; a restart is the bridge's. */
    private void pressed(String action) {
        switch (action) {
            case "showLog" -> editor.openLog();
            case "openSettings" -> editor.openSettings();
            default -> {}
        }
    }

    /** Answers with what was chosen; null, as in LSP, when it was closed without. */
    private CompletableFuture<JsonElement> showMessage(JsonObject params) {
        CompletableFuture<JsonElement> chosen = new CompletableFuture<>();
        List<Notice.Action> actions = new ArrayList<>();
        if (params.get("actions") instanceof JsonArray offered) {
            for (JsonElement action : offered) {
                String title = action.getAsJsonObject().get("title").getAsString();
                actions.add(new Notice.Action(title, () -> chosen.complete(action)));
            }
        }
        Notice notice = message(params, actions);
        editor.show(new Notice(
                notice.level(), notice.text(), actions, () -> chosen.complete(JsonNull.INSTANCE)));
        return chosen;
    }

    /** Gives the notice of LSP's {@code window/showMessage}. */
    static Notice message(JsonObject params, List<Notice.Action> actions) {
        Level level = switch (params.get("type").getAsInt()) {
            case 1 -> Level.ERROR;
            case 2 -> Level.WARNING;
            default -> Level.INFO;
        };
        return new Notice(level, params.get("message").getAsString(), actions);
    }

    private JsonElement configuration(JsonElement params) {
        JsonArray answers = new JsonArray();
        for (JsonElement item : params.getAsJsonObject().getAsJsonArray("items")) {
            JsonElement section = item.getAsJsonObject().get("section");
            boolean ours = section != null && section.getAsString().equals("wave");
            answers.add(ours ? settings.get() : JsonNull.INSTANCE);
        }
        return answers;
    }

    private CompletableFuture<JsonElement> read(ContextRead wanted) {
        List<String> kinds = wanted.kinds() == null ? List.of() : wanted.kinds();
        CompletableFuture<JsonObject> none = CompletableFuture.completedFuture(null);
        CompletableFuture<JsonObject> terminal = !kinds.contains("terminal")
                ? none
                : facts(editor::terminal, Terminal::facts, reason -> new Terminal.Unavailable(reason).facts(), "unknown");
        CompletableFuture<JsonObject> problems = !kinds.contains("problems")
                ? none
                : facts(editor::problems, Problems::facts, reason -> new Problems.Unavailable(reason).facts(), "unreadable");
        return terminal.thenCombine(problems, (one, two) -> Wire.encode(new ContextFacts(one, two, null, null)));
    }

    /** Reads one kind; whatever befalls it is its own reason and no other kind's affair (MB5). */
    private static <T> CompletableFuture<JsonObject> facts(
            Supplier<CompletableFuture<T>> read,
            Function<T, JsonObject> shape,
            Function<String, JsonObject> unavailable,
            String failed) {
        CompletableFuture<T> reading;
        try {
            reading = read.get();
        } catch (RuntimeException | LinkageError fault) { // the IDE's, whose classes differ from version to version
            reading = CompletableFuture.failedFuture(fault);
        }
        return reading.copy()
                .orTimeout(Limits.CONTEXT.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(shape)
                .exceptionally(fault -> unavailable.apply(
                        Connection.cause(fault) instanceof TimeoutException ? "timeout" : failed));
    }

    private static <P> P of(Request<P, ?> request, JsonElement params) {
        return Wire.decode(params, request.params());
    }

    private static CompletableFuture<JsonElement> done(CompletableFuture<Boolean> outcome) {
        return outcome.thenApply(ok -> Wire.encode(new Done(ok)));
    }

    private static CompletableFuture<JsonElement> refuse(int code, String message) {
        return CompletableFuture.failedFuture(new Refusal(code, message, null));
    }

    private static int fromZero(Long fromOne) {
        return fromOne == null ? 0 : (int) Math.max(0, Math.min(fromOne - 1, Integer.MAX_VALUE));
    }
}
