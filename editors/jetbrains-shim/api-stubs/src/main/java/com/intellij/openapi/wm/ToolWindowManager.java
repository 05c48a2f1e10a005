package com.intellij.openapi.wm;

import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public abstract class ToolWindowManager {
    public static ToolWindowManager getInstance(Project project) {
        throw new Stub();
    }
    public abstract ToolWindow getToolWindow(String id);
}
