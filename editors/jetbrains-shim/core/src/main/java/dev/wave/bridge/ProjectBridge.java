package dev.wave.bridge;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.wave.bridge.daemon.Connection;
import dev.wave.bridge.daemon.DaemonCommand;
import dev.wave.bridge.daemon.DaemonLost;
import dev.wave.bridge.daemon.Limits;
import dev.wave.bridge.daemon.Peer;
import dev.wave.bridge.daemon.Supervisor;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.generated.BridgeApi.BridgeRequests;
import dev.wave.bridge.generated.BridgeApi.PanelAddress;
import dev.wave.bridge.generated.BridgeApi.PanelMessage;
import dev.wave.bridge.generated.BridgeApi.PanelUrl;
import dev.wave.bridge.notice.Notice;
import dev.wave.bridge.notice.Notice.Action;
import dev.wave.bridge.notice.Text;
import dev.wave.bridge.panel.Panels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The shim for one project: its bridge, its panels, and the IDE that the bridge may ask. Nothing waits but {@link #close}.
 */
public final class ProjectBridge implements AutoCloseable {
    /**
     * How the bridge is started, asked anew for each start and off the IDE's event thread: a login shell's environment
     * takes its time, and the user may have changed a setting.
     */
    public interface Launch {
        /** Gives the user's setting for the bridge; "" for none. */
        String command();

        Map<String, String> environment();

        Path folder();

        Introduction introduction();
    }

    private final Launch launch;
    private final Editor editor;
    private final Log log;
    private final Questions questions;
    private final Panels panels = new Panels();
    private final Supervisor supervisor;
    private volatile Connection connection;
    private volatile boolean wanted;

    public ProjectBridge(Launch launch, Editor editor, Log log) {
        this.launch = launch;
        this.editor = editor;
        this.log = log;
        this.questions = new Questions(editor, () -> launch.introduction().settings());
        this.supervisor = new Supervisor(new Start(), new Changes());
    }

    public Panels panels() {
        return panels;
    }

    public Editor editor() {
        return editor;
    }

    public Log log() {
        return log;
    }

    /** Starts the bridge, unless that was asked for before. */
    public void start() {
        if (!wanted) {
            restart();
        }
    }

    /** Starts the bridge anew, whatever became of it. */
    public void restart() {
        wanted = true;
        supervisor.restart();
    }

    /** The user changed settings: the bridge interprets them, so it gets them whole. */
    public void settingsChanged() {
        JsonObject params = new JsonObject();
        params.add("settings", launch.introduction().settings());
        tell("workspace/didChangeConfiguration", params);
    }

    /** Opens a panel in the browser, at an address that only the bridge can make. */
    public void openInBrowser() {
        Connection bridge = connection;
        PanelUrl here = new PanelUrl(launch.folder().toString(), null);
        CompletableFuture<PanelAddress> asked = bridge == null
                ? CompletableFuture.failedFuture(new DaemonLost(text(Text.BRIDGE_LOST)))
                : bridge.ask(BridgeRequests.PANEL_URL, here);
        asked.thenCompose(panel -> editor.openUrl(panel.url()))
                .exceptionally(fault -> {
                    String why = text(Text.NO_ADDRESS) + ": " + Connection.cause(fault).getMessage();
                    editor.show(new Notice(Notice.Level.ERROR, why, List.of(showLog())));
                    return false;
                });
    }

    /** Ends it in bounded time: the panels, then the bridge's door. The daemon lives on. */
    @Override
    public void close() {
        supervisor.close();
        try {
            log.close();
        } catch (IOException full) {
            // What is written is written.
        }
    }

    private void tell(String method, JsonElement params) {
        Connection bridge = connection;
        if (bridge != null) {
            bridge.tell(method, params);
        }
    }

    private String text(Text text) {
        return text.in(launch.introduction().locale());
    }

    private Action showLog() {
        return new Action(text(Text.SHOW_LOG), editor::openLog);
    }

    private final class Start implements Supervisor.Starter {
        @Override
        public Connection start() throws DaemonLost {
            Map<String, String> environment = launch.environment();
            List<String> command = DaemonCommand.find(launch.command(), environment, launch.folder());
            log.say("starting " + String.join(" ", command) + " in " + launch.folder());
            try {
                return Connection.start(command, environment, launch.folder(), new Ears(), log::write);
            } catch (DaemonLost fault) {
                throw new DaemonLost(fault.getMessage() + "\n" + text(Text.BRIDGE_MISSING), fault);
            }
        }

        @Override
        public CompletableFuture<?> greet(Connection connection) {
            return connection.initialize(launch.introduction().params(), Limits.INITIALIZE);
        }
    }

    private final class Changes implements Supervisor.Listener {
        @Override
        public void ready(Connection ready, boolean again) {
            log.say("the bridge is ready, process " + ready.pid());
            connection = ready;
            panels.ready(ready, again);
        }

        @Override
        public void lost(String reason, Optional<Duration> retry) {
            log.say(reason);
            connection = null;
            panels.lost(reason, retry.isEmpty());
            if (retry.isEmpty()) {
                String why = text(Text.BRIDGE_LOST) + ": " + reason;
                editor.show(new Notice(Notice.Level.ERROR, why, List.of(
                        new Action(text(Text.RESTART), ProjectBridge.this::restart),
                        new Action(text(Text.SETTINGS), editor::openSettings),
                        showLog())));
            }
        }
    }

    private final class Ears implements Peer {
        @Override
        public CompletableFuture<JsonElement> asked(String method, JsonElement params) {
            return questions.answer(method, params);
        }

        @Override
        public void told(String method, JsonElement params) {
            try {
                switch (method) {
                    case "wave/panel/message" -> {
                        PanelMessage carried = Wire.decode(params, PanelMessage.class);
                        panels.carry(carried.panelId(), carried.message());
                    }
                    case "window/logMessage" ->
                        log.say(params.getAsJsonObject().get("message").getAsString());
                    case "window/showMessage" ->
                        editor.show(Questions.message(params.getAsJsonObject(), List.of(showLog())));
                    default -> {} // wave/agent/status and the like are told to the panels as well
                }
            } catch (JsonParseException | IllegalStateException odd) {
                log.say(method + ": " + odd.getMessage());
            }
        }
    }
}
