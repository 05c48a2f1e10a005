package org.jetbrains.plugins.terminal;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.wm.ToolWindow;
import com.intellij.terminal.ui.TerminalWidget;
import com.intellij.ui.content.Content;
import dev.wave.stub.Stub;

public final class TerminalToolWindowManager {
    public static TerminalToolWindowManager getInstance(Project project) {
        throw new Stub();
    }
    public ToolWindow getToolWindow() {
        throw new Stub();
    }
    public static TerminalWidget findWidgetByContent(Content content) {
        throw new Stub();
    }
}
