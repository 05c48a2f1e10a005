package dev.wave.bridge.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the bridge is started: the user's setting, else WAVE_BRIDGE_COMMAND, else {@code wave-bridge} on PATH, else in a
 * virtual environment of the project, else as a module of the {@code python3} on PATH.
 *
 * <p>What is named by the user is taken as it is: a name that leads nowhere is an error that names it, never passed
 * over. The environment is an argument; on macOS it must be the login shell's, which a GUI's is not.
 */
public final class DaemonCommand {
    public static final String VARIABLE = "WAVE_BRIDGE_COMMAND";
    private static final String FLAG = "--stdio";

    private DaemonCommand() {}

    /** Gives the command line; the last resort when nothing is found, whose failure to start says what is missing. */
    public static List<String> find(String setting, Map<String, String> environment, Path project) {
        return named(setting)
                .or(() -> named(environment.get(VARIABLE)))
                .or(() -> onPath("wave-bridge", environment))
                .or(() -> inVenv(project))
                .map(program -> List.of(program, FLAG))
                .orElseGet(() -> module(environment));
    }

    private static Optional<String> named(String name) {
        return Optional.ofNullable(name).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static List<String> module(Map<String, String> environment) {
        String python = onPath("python3", environment)
                .or(() -> onPath("python", environment))
                .orElse("python3");
        // -P: a folder that is open in an editor must not provide the bridge's modules
        return List.of(python, "-P", "-m", "wave_bridge", FLAG);
    }

    private static Optional<String> inVenv(Path project) {
        if (project == null) {
            return Optional.empty();
        }
        return Stream.of(".venv", "venv")
                .map(name -> project.resolve(name).resolve(isWindows() ? "Scripts" : "bin"))
                .flatMap(folder -> programs(folder, "wave-bridge"))
                .findFirst();
    }

    private static Optional<String> onPath(String name, Map<String, String> environment) {
        return Stream.of(path(environment).split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .flatMap(DaemonCommand::folder)
                .flatMap(folder -> programs(folder, name))
                .findFirst();
    }

    /** Gives PATH, whose name Windows spells as it likes. */
    private static String path(Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(entry -> isWindows() ? entry.getKey().equalsIgnoreCase("PATH") : entry.getKey().equals("PATH"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static Stream<Path> folder(String name) {
        try {
            Path folder = Path.of(name);
            return folder.isAbsolute() ? Stream.of(folder) : Stream.empty(); // relative: the project could bring it
        } catch (InvalidPathException odd) {
            return Stream.empty();
        }
    }

    private static Stream<String> programs(Path folder, String name) {
        Path program = folder.resolve(isWindows() ? name + ".exe" : name);
        return Files.isRegularFile(program) && Files.isExecutable(program)
                ? Stream.of(program.toString())
                : Stream.empty();
    }

    private static boolean isWindows() {
        return File.separatorChar == '\\';
    }
}
