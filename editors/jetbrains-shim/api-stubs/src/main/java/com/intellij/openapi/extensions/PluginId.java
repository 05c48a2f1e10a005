package com.intellij.openapi.extensions;

import dev.wave.stub.Stub;

public final class PluginId {
    public static PluginId getId(String id) {
        throw new Stub();
    }
}
