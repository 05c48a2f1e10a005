package org.jetbrains.plugins.terminal.view;

public interface TerminalOutputModelsSet {
    TerminalOutputModel getRegular();
}
