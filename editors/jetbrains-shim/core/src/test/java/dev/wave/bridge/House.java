package dev.wave.bridge;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Connection;
import dev.wave.bridge.daemon.DaemonLost;
import dev.wave.bridge.daemon.Peer;
import dev.wave.bridge.daemon.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A user's machine: a home, a meeting place of its own, a real daemon with the embedded CLI. */
public final class House implements AutoCloseable {
    /** The script that an editor would start; the build says where it is. */
    public static final String BRIDGE = System.getProperty("wave.bridge");

    public static final Path REPOSITORY = Path.of(System.getProperty("repository.root")).normalize();
    private static final Duration WAIT = Duration.ofSeconds(40);

    public final Path root;
    public final Path project;
    public final Map<String, String> environment = new HashMap<>();
    /** What was said on stderr. */
    public final StringBuilder log = new StringBuilder();

    private final List<AutoCloseable> open = new ArrayList<>();

    public House(Path root) throws IOException {
        this.root = root;
        this.project = Files.createDirectories(root.resolve("project"));
        Files.createDirectories(root.resolve("home"));
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", root.resolve("home").toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("SHELL", "/bin/false"); // what the user's shell would add is the machine's, not the test's
        environment.put("WAVE_CLI_PATH", "embedded");
        environment.put("WAVE_BRIDGE_DIR", root.resolve("run").toString());
        environment.put("WAVE_BRIDGE_LOG", root.resolve("bridge.log").toString());
    }

    public Connection connect(Peer peer, String... command) throws DaemonLost {
        List<String> line = command.length > 0 ? List.of(command) : List.of(BRIDGE, "--stdio");
        return closed(Connection.start(line, environment, project, peer, this::note));
    }

    /** Connects and shakes hands, announcing {@code abilities}. */
    public Connection greet(Peer peer, String... abilities) throws Exception {
        Connection connection = connect(peer);
        within(connection.initialize(introduction(abilities), WAIT));
        return connection;
    }

    public static JsonObject introduction(String... abilities) {
        JsonObject introduction = Wire.parse("{'processId': null, 'rootUri': null, 'locale': 'en', 'capabilities':"
                        + " {'experimental': {'wave': {'version': 1}}}}")
                .getAsJsonObject();
        JsonObject wave = introduction.getAsJsonObject("capabilities").getAsJsonObject("experimental").getAsJsonObject("wave");
        List.of(abilities).forEach(ability -> wave.addProperty(ability, true));
        return introduction;
    }

    public <T extends AutoCloseable> T closed(T thing) {
        open.add(thing);
        return thing;
    }

    /** Writes a program that the bridge's place is taken by. */
    public String program(String name, String... lines) throws IOException {
        Path file = Files.writeString(root.resolve(name), String.join("\n", lines) + "\n");
        file.toFile().setExecutable(true);
        return file.toString();
    }

    /** Writes a Python program with the repository's own interpreter. */
    public String python(String name, String... lines) throws IOException {
        String interpreter = Path.of(BRIDGE).resolveSibling("python").toString();
        return program(name, "#!" + interpreter + "\n" + String.join("\n", lines));
    }

    /** Gives what {@code wave-bridge status} says. */
    public JsonElement status() throws Exception {
        return Wire.parse(run("status", "--json"));
    }

    public String run(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(BRIDGE));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return said;
    }

    /** Waits until the log has {@code text}. */
    public void logged(String text) throws InterruptedException {
        synchronized (log) {
            for (long end = System.nanoTime() + WAIT.toNanos(); log.indexOf(text) < 0; ) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("not logged: " + text + "\n" + log);
                }
                log.wait(left);
            }
        }
    }

    private void note(String text) {
        synchronized (log) {
            log.append(text);
            log.notifyAll();
        }
    }

    /** Closes what was opened; the daemon stays, for the next test. */
    public void leave() throws Exception {
        for (AutoCloseable thing : open) {
            thing.close();
        }
        open.clear();
        synchronized (log) {
            log.setLength(0);
        }
    }

    @Override
    public void close() throws Exception {
        leave();
        run("stop");
    }

    public static <T> T within(CompletableFuture<T> future) throws Exception {
        return future.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What was heard, in order. */
    public static class Ear implements Peer {
        /** One notification or request. */
        public record Said(String method, JsonElement params) {}

        private final BlockingQueue<Said> heard = new LinkedBlockingQueue<>();

        @Override
        public CompletableFuture<JsonElement> asked(String method, JsonElement params) {
            heard.add(new Said(method, params));
            return CompletableFuture.completedFuture(JsonNull.INSTANCE);
        }

        @Override
        public void told(String method, JsonElement params) {
            heard.add(new Said(method, params));
        }

        /** Waits for what fits; what came before it is passed over. */
        public Said hear(Predicate<Said> fits) throws InterruptedException {
            for (Said said; (said = heard.poll(WAIT.toMillis(), TimeUnit.MILLISECONDS)) != null; ) {
                if (fits.test(said)) {
                    return said;
                }
            }
            throw new AssertionError("not heard within " + WAIT);
        }

        public Said hear(String method) throws InterruptedException {
            return hear(said -> said.method().equals(method));
        }

        /** Waits for the end of the turn and gives what the assistant said until then. */
        public String answer() throws InterruptedException {
            StringBuilder text = new StringBuilder();
            hear(said -> {
                JsonObject params = said.params().getAsJsonObject();
                if (said.method().equals("wave/session/event")) {
                    JsonObject event = params.getAsJsonObject("event");
                    if (event.get("method").getAsString().equals("assistantContentUpdated")) {
                        text.append(event.getAsJsonObject("params").get("chunk").getAsString());
                    }
                }
                return said.method().equals("wave/session/state") && params.has("turnEnded");
            });
            return text.toString();
        }
    }
}
