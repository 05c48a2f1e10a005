package com.intellij.openapi.application;

import dev.wave.stub.Stub;

public class ApplicationManager {
    public static Application getApplication() {
        throw new Stub();
    }
}
