package com.intellij.openapi.util;

import dev.wave.stub.Stub;

public class Key<T> {
    public static <T> Key<T> create(String name) {
        throw new Stub();
    }
}
