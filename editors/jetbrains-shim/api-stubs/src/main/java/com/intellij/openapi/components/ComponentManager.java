package com.intellij.openapi.components;

import com.intellij.openapi.Disposable;
import com.intellij.util.messages.MessageBus;

public interface ComponentManager extends Disposable {
    <T> T getService(Class<T> type);
    MessageBus getMessageBus();
    boolean isDisposed();
}
