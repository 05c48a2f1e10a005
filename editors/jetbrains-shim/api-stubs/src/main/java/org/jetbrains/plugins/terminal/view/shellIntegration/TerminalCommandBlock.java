package org.jetbrains.plugins.terminal.view.shellIntegration;

public interface TerminalCommandBlock extends TerminalBlockBase {
    String getExecutedCommand();
    Integer getExitCode();
}
