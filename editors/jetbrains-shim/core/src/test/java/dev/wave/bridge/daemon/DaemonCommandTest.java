package dev.wave.bridge.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the places wins, on a machine that has a bridge in each. */
class DaemonCommandTest {
    @TempDir
    private Path root;

    private final Map<String, String> environment = new HashMap<>();
    private String onPath;
    private String inVenv;
    private String python;

    @BeforeEach
    void fill() throws IOException {
        onPath = program("bin/wave-bridge");
        python = program("bin/python3");
        inVenv = program("project/.venv/bin/wave-bridge");
        environment.put("PATH", "relative:" + root.resolve("none") + "::" + root.resolve("bin"));
        environment.put(DaemonCommand.VARIABLE, "/named/by/variable");
    }

    private String program(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n").toFile().setExecutable(true);
        return file.toString();
    }

    private List<String> found(String setting) {
        return DaemonCommand.find(setting, environment, root.resolve("project"));
    }

    @Test
    void theSettingThenTheVariableThenPathThenVenvThenPython() throws IOException {
        assertEquals(List.of("/named/by/setting", "--stdio"), found(" /named/by/setting "));
        assertEquals(List.of("/named/by/variable", "--stdio"), found(""));
        environment.remove(DaemonCommand.VARIABLE);
        assertEquals(List.of(onPath, "--stdio"), found(null));
        Files.delete(Path.of(onPath));
        assertEquals(List.of(inVenv, "--stdio"), found(""));
        Files.delete(Path.of(inVenv));
        assertEquals(List.of(python, "-P", "-m", "wave_bridge", "--stdio"), found(""));
        Files.delete(Path.of(python));
        assertEquals(List.of("python3", "-P", "-m", "wave_bridge", "--stdio"), found(""), "whose failure names it");
    }

    @Test
    void whatCantBeRunIsPassedOver() throws IOException {
        environment.remove(DaemonCommand.VARIABLE);
        Path.of(onPath).toFile().setExecutable(false);
        assertEquals(List.of(inVenv, "--stdio"), found(""));
        Files.delete(Path.of(onPath));
        Files.createDirectory(Path.of(onPath));
        assertEquals(List.of(inVenv, "--stdio"), found(""));
    }

    @Test
    void anEmptyEnvironmentIsNoError() {
        assertEquals("python3", DaemonCommand.find("", Map.of(), null).get(0));
    }
}
