package dev.wave.bridge.ide;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The glue in IDEs that lack classes: those before 2025.3, without the terminal plugin, from 2026.2 without JCEF. */
class LinkTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final String[] JCEF = {"org.cef.", "com.intellij.ui.jcef."};

    /** What only the package behind it may name. */
    private static final Map<String, List<String>> CONFINED = Map.of(
            "dev/wave/bridge/ide/jcef/", List.of("org/cef/", "com/intellij/ui/jcef/"),
            "dev/wave/bridge/ide/terminal/",
                    List.of("com/jediterm/", "com/intellij/terminal/JB", "org/jetbrains/plugins/terminal/ShellTerminal"),
            "dev/wave/bridge/ide/blocks/",
                    List.of("com/intellij/terminal/frontend/", "org/jetbrains/plugins/terminal/view/", "kotlinx/"));

    private static List<Path> classes() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    @Test
    void withoutJcefThereIsNoViewAndNoError() throws Exception {
        ClassLoader ide = new Absent(JCEF);
        Class<?> view = ide.loadClass("dev.wave.bridge.ide.PanelView");
        assertNull(view.getMethod("make").invoke(null));
    }

    @Test
    void theTestWouldSeeAnErrorWithoutTheGuard() {
        ClassLoader ide = new Absent(JCEF);
        assertThrows(LinkageError.class,
                () -> ide.loadClass("dev.wave.bridge.ide.jcef.BrowserView").getMethod("make").invoke(null));
    }

    @Test
    @Tag("MB4")
    void everythingElseLinksWithoutJcefAndWithoutTerminals() throws IOException {
        ClassLoader ide = new Absent(
                "org.cef.", "com.intellij.ui.jcef.", "com.jediterm.", "com.intellij.terminal.", "kotlinx.",
                "org.jetbrains.plugins.terminal.");
        for (Path file : classes()) {
            String name = CLASSES.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
            if (CONFINED.keySet().stream().noneMatch(place -> name.replace('.', '/').startsWith(place))) {
                assertDoesNotThrow(() -> linked(ide, name), name);
            }
        }
    }

    /** Links a class and resolves the types of all its members, as a verifier or a reflecting platform does. */
    private static void linked(ClassLoader loader, String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, loader);
        type.getDeclaredMethods();
        type.getDeclaredConstructors();
        type.getDeclaredFields();
    }

    @Test
    void onlyThePackagesForItNameTheBrowserAndTheTerminals() throws IOException {
        List<String> strays = new ArrayList<>();
        for (Path file : classes()) {
            String name = CLASSES.relativize(file).toString();
            List<String> names = ClassFile.names(Files.readAllBytes(file));
            CONFINED.forEach((place, prefixes) -> prefixes.forEach(prefix -> {
                if (!name.startsWith(place) && names.stream().anyMatch(found -> found.contains(prefix))) {
                    strays.add(name + " names " + prefix);
                }
            }));
        }
        assertEquals(List.of(), strays);
    }

    @Test
    void theGlueIsThin() throws IOException {
        long lines = 0;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                lines += Files.readAllLines(file).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("import ") && !line.startsWith("*")
                                && !line.startsWith("/*") && !line.startsWith("//"))
                        .count();
            }
        }
        long found = lines;
        assertTrue(found <= 700, () -> found + " lines: what decides anything belongs into core, which is tested");
    }
}
