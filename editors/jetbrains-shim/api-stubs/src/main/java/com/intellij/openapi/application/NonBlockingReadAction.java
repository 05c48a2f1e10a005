package com.intellij.openapi.application;

import com.intellij.openapi.Disposable;

public interface NonBlockingReadAction<T> {
    NonBlockingReadAction<T> expireWith(Disposable parent);
    T executeSynchronously();
}
