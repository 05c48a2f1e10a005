package com.intellij.ide;

import dev.wave.stub.Stub;

public final class BrowserUtil {
    public static void browse(String url) {
        throw new Stub();
    }
}
