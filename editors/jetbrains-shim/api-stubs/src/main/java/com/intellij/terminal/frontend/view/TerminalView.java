package com.intellij.terminal.frontend.view;

import kotlinx.coroutines.Deferred;
import org.jetbrains.plugins.terminal.view.TerminalOutputModelsSet;
import org.jetbrains.plugins.terminal.view.shellIntegration.TerminalShellIntegration;

public interface TerminalView {
    Deferred<TerminalShellIntegration> getShellIntegrationDeferred();
    TerminalOutputModelsSet getOutputModels();
}
