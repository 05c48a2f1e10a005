package org.jetbrains.plugins.terminal.view;

public interface TerminalOffset {

}
