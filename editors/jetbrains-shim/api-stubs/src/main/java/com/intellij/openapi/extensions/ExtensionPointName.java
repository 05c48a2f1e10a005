package com.intellij.openapi.extensions;

import dev.wave.stub.Stub;
import java.util.List;

public final class ExtensionPointName<T> {
    public static <T> ExtensionPointName<T> create(String name) {
        throw new Stub();
    }
    public List<T> getExtensionList() {
        throw new Stub();
    }
}
