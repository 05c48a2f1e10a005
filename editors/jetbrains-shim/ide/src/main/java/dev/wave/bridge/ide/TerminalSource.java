package dev.wave.bridge.ide;

import com.intellij.openapi.extensions.ExtensionPointName;
import com.intellij.openapi.project.Project;
import dev.wave.bridge.context.Terminal;
import java.util.Optional;

/**
 * One of the IDE's terminal engines. Each is registered by a descriptor that the platform loads only where the classes
 * of that engine exist, so nothing else names them.
 */
public interface TerminalSource {
    ExtensionPointName<TerminalSource> ENGINES = ExtensionPointName.create("dev.wave.bridge.terminalSource");

    /** Reads the active terminal, on the event thread; empty when the active one is not this engine's. */
    Optional<Terminal> read(Project project);

    /** Reads the active terminal, of whichever engine it is. */
    static Terminal active(Project project) {
        return Terminal.best(ENGINES.getExtensionList().stream().map(engine -> engine.read(project)));
    }
}
