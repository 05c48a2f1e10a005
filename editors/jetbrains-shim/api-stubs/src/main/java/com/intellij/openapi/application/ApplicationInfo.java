package com.intellij.openapi.application;

import dev.wave.stub.Stub;

public abstract class ApplicationInfo {
    public static ApplicationInfo getInstance() {
        throw new Stub();
    }
    public abstract String getVersionName();
    public abstract String getFullVersion();
}
