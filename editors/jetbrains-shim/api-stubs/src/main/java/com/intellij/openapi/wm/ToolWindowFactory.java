package com.intellij.openapi.wm;

import com.intellij.openapi.project.PossiblyDumbAware;
import com.intellij.openapi.project.Project;

public interface ToolWindowFactory extends PossiblyDumbAware {
    void createToolWindowContent(Project project, ToolWindow toolWindow);
}
