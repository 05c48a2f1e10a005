package com.intellij.openapi.project;

import com.intellij.openapi.components.ComponentManager;

public interface Project extends ComponentManager {
    String getBasePath();
}
