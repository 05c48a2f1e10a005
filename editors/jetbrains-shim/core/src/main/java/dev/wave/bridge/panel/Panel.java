package dev.wave.bridge.panel;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.wave.bridge.daemon.Connection;
import dev.wave.bridge.daemon.DaemonLost;
import dev.wave.bridge.daemon.Limits;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.generated.BridgeApi.BridgeNotifications;
import dev.wave.bridge.generated.BridgeApi.BridgeRequests;
import dev.wave.bridge.generated.BridgeApi.PanelClose;
import dev.wave.bridge.generated.BridgeApi.PanelOpen;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;

/**
 * One panel: a page at one end, the bridge at the other, and what waits while either is not there.
 *
 * <p>A page is there from its {@code host/ready} on. When it says so again it was loaded anew: what the old one asked is
 * nobody's business any more. Fields are guarded by the lock of {@link Panels}.
 */
public final class Panel {
    private static final int AGENT_UNAVAILABLE = -31001; // docs/PROTOCOL.md, Errors
    private static final int OVERLOADED = -31005;

    private final Panels panels;
    private final String id;
    private final String kind;
    private final String workdir;
    private final Page page;
    private final Queue<JsonObject> unshown = new ArrayDeque<>();
    private final Queue<JsonObject> unsent = new ArrayDeque<>();
    private final Set<JsonElement> open = new LinkedHashSet<>(); // ids of the page's requests at the bridge
    private boolean pageReady;
    private boolean attached; // the bridge has answered wave/panel/open
    private int opened; // counts these: an answer to one that is not the latest means nothing
    private JsonElement state = JsonNull.INSTANCE;

    Panel(Panels panels, String id, String kind, String workdir, Page page) {
        this.panels = panels;
        this.id = id;
        this.kind = kind;
        this.workdir = workdir;
        this.page = page;
    }

    public String id() {
        return id;
    }

    /** Gives what the page asked to keep over a reload; null JSON at first. */
    public JsonElement state() {
        synchronized (panels) {
            return state;
        }
    }

    /** The page begins to load, or to load anew: what comes waits until it is ready. */
    public void loading() {
        synchronized (panels) {
            pageReady = false;
        }
    }

    /** Takes a message of the page; what is none is passed over. */
    public void received(String text) {
        JsonObject message;
        try {
            message = Wire.parse(text).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException odd) {
            return;
        }
        String method = text(message, "method");
        synchronized (panels) {
            if (method.startsWith("host/")) {
                host(method, message.get("params") instanceof JsonObject params ? params : new JsonObject());
            } else if (panels.connection().isPresent() && attached) {
                send(panels.connection().get(), message);
            } else {
                keep(message);
            }
        }
    }

    /** Tells the page something of the host's own: {@code host/insert}, {@code host/focus} … */
    public void tell(String method, JsonObject params) {
        JsonObject message = new JsonObject();
        message.addProperty("jsonrpc", "2.0");
        message.addProperty("method", method);
        message.add("params", params);
        synchronized (panels) {
            show(message);
        }
    }

    /** The panel is gone. */
    public void close() {
        synchronized (panels) {
            panels.remove(this);
            panels.connection().ifPresent(bridge -> bridge.tell(BridgeNotifications.PANEL_CLOSE, new PanelClose(id)));
        }
    }

    private void host(String method, JsonObject params) {
        switch (method) {
            case "host/ready" -> pageReady();
            case "host/title" -> page.title(text(params, "title"));
            case "host/badge" -> page.badge(number(params, "waiting"));
            case "host/state" -> state = params.has("state") ? params.get("state") : JsonNull.INSTANCE;
            case "host/openBrowser" -> page.command("openBrowser", JsonNull.INSTANCE);
            case "host/command" -> page.command(text(params, "id"), params.get("args"));
            default -> {} // a newer panel's: it manages without an answer, host/* are notifications
        }
    }

    private void pageReady() {
        open.clear();
        unsent.clear();
        pageReady = true;
        unshown.forEach(this::run);
        unshown.clear();
        panels.connection().ifPresent(this::attach);
    }

    void bridgeReady(Connection bridge, boolean again) {
        if (pageReady) {
            attach(bridge);
        }
        if (again) {
            tell("wave/daemon/reattached", new JsonObject());
        }
    }

    /** Answers what the page asked: nobody else will. */
    void bridgeLost(String reason, boolean forGood) {
        attached = false;
        opened++;
        open.forEach(request -> refuse(request, AGENT_UNAVAILABLE, "agentUnavailable", reason));
        open.clear();
        if (forGood) {
            unsent.forEach(message -> refuse(message.get("id"), AGENT_UNAVAILABLE, "agentUnavailable", reason));
            unsent.clear();
        }
    }

    /** Opens the panel at the bridge; until its answer, what comes is for a page that is gone. */
    private void attach(Connection bridge) {
        attached = false;
        int attempt = ++opened;
        bridge.ask(BridgeRequests.PANEL_OPEN, new PanelOpen(id, kind, workdir)).whenComplete((answer, fault) -> {
            synchronized (panels) {
                if (attempt != opened) {
                    return;
                }
                if (fault instanceof DaemonLost) {
                    return; // bridgeLost comes, and knows whether another bridge will
                }
                if (fault != null) {
                    bridgeLost(String.valueOf(fault.getMessage()), true);
                    return;
                }
                attached = true;
                unsent.forEach(message -> send(bridge, message));
                unsent.clear();
            }
        });
    }

    void carried(JsonObject message) {
        if (!attached) {
            return;
        }
        if (!message.has("method")) {
            open.remove(message.get("id"));
        }
        show(message);
    }

    private void send(Connection bridge, JsonObject message) {
        if (isRequest(message)) {
            open.add(message.get("id"));
        }
        bridge.carry(id, message);
    }

    /** Keeps a message until the bridge is there; a request that can't be kept is answered. */
    private void keep(JsonObject message) {
        if (!panels.refusal().isEmpty()) {
            refuse(message.get("id"), AGENT_UNAVAILABLE, "agentUnavailable", panels.refusal());
        } else if (unsent.size() >= Limits.UNSENT) {
            refuse(message.get("id"), OVERLOADED, "overloaded", Limits.UNSENT + " messages wait for the bridge");
        } else {
            unsent.add(message);
        }
    }

    private void show(JsonObject message) {
        if (pageReady) {
            run(message);
        } else if (unshown.size() < Limits.UNSHOWN) { // a page that never comes must not cost the IDE its memory
            unshown.add(message);
        }
    }

    private void run(JsonObject message) {
        page.run(PageScript.receive(message));
    }

    private void refuse(JsonElement request, int code, String kind, String reason) {
        if (request == null || request.isJsonNull()) {
            return; // a notification
        }
        JsonObject data = new JsonObject();
        data.addProperty("kind", kind);
        data.addProperty("fault", "bridge");
        JsonObject error = new JsonObject();
        error.addProperty("code", code);
        error.addProperty("message", reason);
        error.add("data", data);
        JsonObject answer = new JsonObject();
        answer.addProperty("jsonrpc", "2.0");
        answer.add("id", request);
        answer.add("error", error);
        show(answer);
    }

    private static boolean isRequest(JsonObject message) {
        return message.has("method") && message.has("id");
    }

    private static String text(JsonObject object, String name) {
        JsonElement found = object.get(name);
        return found != null && found.isJsonPrimitive() ? found.getAsString() : "";
    }

    private static int number(JsonObject object, String name) {
        JsonElement found = object.get(name);
        boolean is = found != null && found.isJsonPrimitive() && found.getAsJsonPrimitive().isNumber();
        return is ? found.getAsInt() : 0;
    }
}
