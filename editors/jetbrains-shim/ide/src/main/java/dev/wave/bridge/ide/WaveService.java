package dev.wave.bridge.ide;

import com.intellij.DynamicBundle;
import com.intellij.ide.plugins.IdeaPluginDescriptor;
import com.intellij.ide.plugins.PluginManagerCore;
import com.intellij.openapi.Disposable;
import com.intellij.openapi.application.ApplicationInfo;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.application.PathManager;
import com.intellij.openapi.extensions.PluginId;
import com.intellij.openapi.project.Project;
import com.intellij.util.EnvironmentUtil;
import dev.wave.bridge.Introduction;
import dev.wave.bridge.Log;
import dev.wave.bridge.ProjectBridge;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A project's bridge, for as long as the project is open. */
public final class WaveService implements Disposable, ProjectBridge.Launch {
    static final String PLUGIN = "dev.wave.bridge";

    private final Project project;
    private final ProjectBridge bridge;

    public WaveService(Project project) {
        this.project = project;
        Path log = Path.of(PathManager.getLogPath(), "wave", project.getBasePath() == null
                ? "wave.log" : "wave-" + Integer.toHexString(project.getBasePath().hashCode()) + ".log");
        this.bridge = new ProjectBridge(this, new IdeEditor(project, this, log), new Log(log));
    }

    public static WaveService of(Project project) {
        return project.getService(WaveService.class);
    }

    public ProjectBridge bridge() {
        return bridge;
    }

    /** Gives the language of the IDE: Chinese with its language pack. */
    static String locale() {
        return DynamicBundle.getLocale().toLanguageTag();
    }

    @Override
    public String command() {
        return WaveSettings.get().getState().bridgePath;
    }

    /** On macOS, where a GUI has little environment, the login shell's; this may take seconds. */
    @Override
    public Map<String, String> environment() {
        return EnvironmentUtil.getEnvironmentMap();
    }

    @Override
    public Path folder() {
        return Path.of(project.getBasePath() == null ? System.getProperty("user.home") : project.getBasePath());
    }

    @Override
    public Introduction introduction() {
        ApplicationInfo ide = ApplicationInfo.getInstance();
        String cli = WaveSettings.get().getState().cliPath.strip();
        return new Introduction(
                ide.getVersionName(),
                ide.getFullVersion(),
                locale(),
                project.getBasePath() == null ? List.of() : List.of(folder()),
                cli.isEmpty() ? null : cli,
                bundledCli(),
                WaveSettings.get().forBridge(),
                true);
    }

    /** Gives the folder of the CLI that the plugin was built with, also when it has been lost since; null: without. */
    private static String bundledCli() {
        IdeaPluginDescriptor plugin = PluginManagerCore.getPlugin(PluginId.getId(PLUGIN));
        boolean brought = WaveService.class.getResource("/wave-cli.properties") != null;
        return plugin == null || !brought ? null : plugin.getPluginPath().resolve("wave-cli").toString();
    }

    /** Called on the event thread, which may not wait: the bridge's door ends in the background. */
    @Override
    public void dispose() {
        ApplicationManager.getApplication().executeOnPooledThread(bridge::close);
    }
}
