package com.intellij.ide.plugins;

import com.intellij.openapi.extensions.PluginId;
import dev.wave.stub.Stub;

public final class PluginManagerCore {
    public static IdeaPluginDescriptor getPlugin(PluginId id) {
        throw new Stub();
    }
}
