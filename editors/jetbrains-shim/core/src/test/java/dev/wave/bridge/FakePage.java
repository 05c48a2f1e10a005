package dev.wave.bridge;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.panel.Page;
import dev.wave.bridge.panel.Panel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A page as the panel is one: takes the scripts that the shim runs, and is a JSON-RPC client of the bridge. */
public final class FakePage implements Page {
    private static final String BEFORE = "window.__waveReceive(";
    private static final String AFTER = ");";
    public final BlockingQueue<JsonObject> heard = new LinkedBlockingQueue<>();
    public final BlockingQueue<String> wishes = new LinkedBlockingQueue<>();
    public Panel panel;
    private int asked;

    @Override
    public void run(String script) {
        if (!script.startsWith(BEFORE) || !script.endsWith(AFTER)) {
            throw new AssertionError("no message: " + script);
        }
        String literal = script.substring(BEFORE.length(), script.length() - AFTER.length());
        heard.add(Wire.parse(Wire.parse(literal).getAsString()).getAsJsonObject());
    }

    @Override
    public void title(String title) {
        wishes.add("title " + title);
    }

    @Override
    public void badge(int waiting) {
        wishes.add("badge " + waiting);
    }

    @Override
    public void command(String id, JsonElement arguments) {
        wishes.add("command " + id);
    }

    public void ready() {
        tell("host/ready", "{}");
    }

    public void tell(String method, String params) {
        panel.received("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}");
    }

    /** Asks the bridge and gives the id. */
    public int ask(String method, String params) {
        int id = ++asked;
        panel.received(
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
        return id;
    }

    /** Begins anew, as a page does that is loaded again: its first request has the id 1. */
    public void reload() {
        panel.loading();
        heard.clear();
        asked = 0;
        ready();
    }

    public JsonObject hear(Predicate<JsonObject> fits) throws InterruptedException {
        for (JsonObject message; (message = heard.poll(40, TimeUnit.SECONDS)) != null; ) {
            if (fits.test(message)) {
                return message;
            }
        }
        throw new AssertionError("the page heard nothing of the kind");
    }

    public JsonObject answer(int id) throws InterruptedException {
        return hear(message -> !message.has("method") && message.get("id").equals(new JsonPrimitive(id)));
    }

    public JsonObject hear(String method) throws InterruptedException {
        return hear(message -> message.has("method") && message.get("method").getAsString().equals(method));
    }

    /** Starts a session and gives its id. */
    public String session(House house) throws InterruptedException {
        String params = "{\"workdir\":" + new JsonPrimitive(house.project.toString()) + "}";
        JsonObject answer = answer(ask("wave/session/new", params));
        return answer.getAsJsonObject("result").get("sessionId").getAsString();
    }

    /** Says something, mentions included, and gives what the assistant said. */
    public String turn(String session, String... parts) throws InterruptedException {
        ask("wave/turn/start", "{\"sessionId\":\"" + session + "\",\"clientTurnId\":\"t" + asked + "\",\"parts\":["
                + String.join(",", parts) + "]}");
        StringBuilder said = new StringBuilder();
        hear(message -> {
            JsonObject params = message.has("params") ? message.getAsJsonObject("params") : new JsonObject();
            if (params.has("event")) {
                JsonObject event = params.getAsJsonObject("event");
                if (event.get("method").getAsString().equals("assistantContentUpdated")) {
                    said.append(event.getAsJsonObject("params").get("chunk").getAsString());
                }
            }
            return params.has("turnEnded");
        });
        return said.toString();
    }
}
