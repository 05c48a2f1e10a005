package dev.wave.bridge.ide;

import com.google.gson.JsonObject;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.components.PersistentStateComponent;
import com.intellij.openapi.components.State;
import com.intellij.openapi.components.Storage;

/** What the user has set, for all projects. No secret among it: the CLI keeps its own. */
@State(name = "WaveBridge", storages = @Storage("wave-bridge.xml"))
public final class WaveSettings implements PersistentStateComponent<WaveSettings.Values> {
    /** Public fields: the platform writes them to XML by name. */
    public static final class Values {
        public String bridgePath = "";
        public String cliPath = "";
    }

    private volatile Values values = new Values();

    public static WaveSettings get() {
        return ApplicationManager.getApplication().getService(WaveSettings.class);
    }

    @Override
    public Values getState() {
        return values;
    }

    @Override
    public void loadState(Values loaded) {
        values = loaded;
    }

    /** Gives the settings that the bridge interprets. */
    JsonObject forBridge() {
        return new JsonObject();
    }
}
