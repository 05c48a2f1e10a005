package com.intellij.openapi.util;

import com.intellij.openapi.Disposable;
import dev.wave.stub.Stub;

public final class Disposer {
    public static void register(Disposable parent, Disposable child) {
        throw new Stub();
    }
}
