package dev.wave.bridge.panel;

import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Connection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The panels of a project and the bridge that they all speak to, while there is one. Their messages pass unread.
 *
 * <p>One lock guards the lot. Nothing waits while it is held: connection and pages queue what they are given.
 */
public final class Panels {
    private final Map<String, Panel> panels = new LinkedHashMap<>();
    private Connection connection;
    private String refusal = ""; // why there is no bridge and none will come by itself

    /** Adds a panel that {@code page} shows; {@code kind} and {@code workdir} as in {@code wave/panel/open}. */
    public synchronized Panel open(String kind, String workdir, Page page) {
        Panel panel = new Panel(this, UUID.randomUUID().toString(), kind, workdir, page);
        panels.put(panel.id(), panel);
        return panel;
    }

    /** Gives the panels in the order of their opening. */
    public synchronized Collection<Panel> all() {
        return List.copyOf(panels.values());
    }

    /** A bridge is there; {@code again} unless it is the first. */
    public synchronized void ready(Connection connection, boolean again) {
        this.connection = connection;
        refusal = "";
        panels.values().forEach(panel -> panel.bridgeReady(connection, again));
    }

    /** There is none: what waits for it fails. {@code forGood} unless another one is about to be started. */
    public synchronized void lost(String reason, boolean forGood) {
        connection = null;
        refusal = forGood ? reason : "";
        panels.values().forEach(panel -> panel.bridgeLost(reason, forGood));
    }

    /** Takes a message for a panel; one that is closed gets nothing. */
    public synchronized void carry(String panelId, JsonObject message) {
        Panel panel = panels.get(panelId);
        if (panel != null) {
            panel.carried(message);
        }
    }

    synchronized void remove(Panel panel) {
        panels.remove(panel.id());
    }

    Optional<Connection> connection() {
        return Optional.ofNullable(connection);
    }

    /** Gives why requests can't be kept until a bridge comes; "" when they can. */
    String refusal() {
        return refusal;
    }
}
