package com.intellij.openapi.application;

import dev.wave.stub.Stub;

public final class PathManager {
    public static String getLogPath() {
        throw new Stub();
    }
}
