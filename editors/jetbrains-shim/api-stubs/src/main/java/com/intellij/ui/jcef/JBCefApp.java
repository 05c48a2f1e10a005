package com.intellij.ui.jcef;

import dev.wave.stub.Stub;

public final class JBCefApp {
    public static boolean isSupported() {
        throw new Stub();
    }
}
