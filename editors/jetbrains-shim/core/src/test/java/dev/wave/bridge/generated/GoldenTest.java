package dev.wave.bridge.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.wave.bridge.House;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.generated.BridgeApi.Notification;
import dev.wave.bridge.generated.BridgeApi.Request;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** One example of each message, the same that the Python and TypeScript suites decode, fits the generated records. */
class GoldenTest {
    private static final Path FOLDER = House.REPOSITORY.resolve("tests/data/golden");

    @TestFactory
    Stream<DynamicTest> everyMessageIsDecodedWholeAndWrittenTheSame() throws Exception {
        Map<String, Class<?>> shapes = new TreeMap<>();
        shapes.putAll(shapes("toBridge", BridgeApi.BridgeRequests.class, BridgeApi.BridgeNotifications.class));
        shapes.putAll(shapes("toClient", BridgeApi.ClientRequests.class, BridgeApi.ClientNotifications.class));
        List<String> there = new ArrayList<>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            files.filter(Files::isRegularFile).forEach(file -> there.add(FOLDER.relativize(file).toString()));
        }
        there.removeIf(name -> !shapes.containsKey(name)); // results of the CLI's own, and errors, have no record
        there.remove("toBridge/turn.start.params.json"); // Gson can't choose among its parts; the shim only says it
        assertTrue(there.size() > 100, there::toString);
        return there.stream().map(name -> DynamicTest.dynamicTest(name, () -> check(name, shapes.get(name))));
    }

    private static void check(String name, Class<?> shape) throws IOException {
        JsonElement golden = Wire.parse(Files.readString(FOLDER.resolve(name)));
        if (golden.isJsonNull() || golden.equals(new JsonObject())) {
            return;
        }
        Object decoded = Wire.decode(golden, shape);
        if (decoded instanceof JsonElement) {
            return;
        }
        List<String> components =
                Arrays.stream(shape.getRecordComponents()).map(RecordComponent::getName).toList();
        assertTrue(components.containsAll(golden.getAsJsonObject().keySet()), () -> "members without a component");
        assertEquals(golden, Wire.parse(Wire.text(Wire.encode(decoded))));
    }

    private static Map<String, Class<?>> shapes(String direction, Class<?>... tables) throws IllegalAccessException {
        Map<String, Class<?>> found = new TreeMap<>();
        for (Class<?> table : tables) {
            for (Field row : table.getDeclaredFields()) {
                if (row.get(null) instanceof Request<?, ?> request) {
                    found.put(name(direction, request.method(), "params"), request.params());
                    found.put(name(direction, request.method(), "result"), request.result());
                } else if (row.get(null) instanceof Notification<?> notification) {
                    found.put(name(direction, notification.method(), "params"), notification.params());
                }
            }
        }
        return found;
    }

    private static String name(String direction, String method, String part) {
        return direction + "/" + method.substring("wave/".length()).replace('/', '.') + "." + part + ".json";
    }
}
