package com.intellij.openapi.application;

import com.intellij.openapi.components.ComponentManager;
import java.util.concurrent.Future;

public interface Application extends ComponentManager {
    void invokeLater(Runnable work);
    Future<?> executeOnPooledThread(Runnable work);
}
