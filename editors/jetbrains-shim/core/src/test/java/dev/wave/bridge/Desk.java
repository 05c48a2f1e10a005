package dev.wave.bridge;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A project in an IDE on a {@link House}'s machine: the whole core, and the real bridge below it. */
public final class Desk implements AutoCloseable {
    public final House house;
    public final FakeEditor editor = new FakeEditor();
    public final ProjectBridge bridge;
    public String command = House.BRIDGE;
    public String locale = "zh-CN";
    public String bundled;
    public JsonObject settings = new JsonObject();

    public Desk(House house) {
        this.house = house;
        this.bridge = new ProjectBridge(new Here(), editor, new Log(house.root.resolve("logs/" + UUID.randomUUID() + "/jetbrains.log")));
    }

    public FakePage page() {
        FakePage page = new FakePage();
        page.panel = bridge.panels().open("toolWindow", house.project.toString(), page);
        return page;
    }

    /** Waits until the log has a line with {@code part}, and gives it. */
    public String logged(String part) throws Exception {
        Path log = bridge.log().file();
        for (long end = System.nanoTime() + 40_000_000_000L; System.nanoTime() < end; Thread.sleep(20)) { // a file sends no event
            String text = Files.exists(log) ? Files.readString(log) : "";
            for (String line : text.lines().toList()) {
                if (line.contains(part)) {
                    return line;
                }
            }
        }
        throw new AssertionError("not logged: " + part);
    }

    @Override
    public void close() {
        bridge.close();
    }

    private final class Here implements ProjectBridge.Launch {
        @Override
        public String command() {
            return command;
        }

        @Override
        public Map<String, String> environment() {
            return house.environment;
        }

        @Override
        public Path folder() {
            return house.project;
        }

        @Override
        public Introduction introduction() {
            return new Introduction(
                    "IntelliJ IDEA", "2025.3", locale, List.of(house.project), null, bundled, settings, true);
        }
    }
}
