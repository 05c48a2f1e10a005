package com.intellij.terminal.frontend.toolwindow;

import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;
import java.util.List;

public interface TerminalToolWindowTabsManager {
    static TerminalToolWindowTabsManager getInstance(Project project) {
        throw new Stub();
    }
    List<TerminalToolWindowTab> getTabs();
}
