package org.jetbrains.plugins.terminal.view.shellIntegration;

public interface TerminalShellIntegration {
    TerminalBlocksModel getBlocksModel();
}
