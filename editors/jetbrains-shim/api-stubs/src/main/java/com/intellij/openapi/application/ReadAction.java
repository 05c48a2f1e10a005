package com.intellij.openapi.application;

import dev.wave.stub.Stub;
import java.util.concurrent.Callable;

public abstract class ReadAction<T> {
    public static <T> NonBlockingReadAction<T> nonBlocking(Callable<? extends T> task) {
        throw new Stub();
    }
}
