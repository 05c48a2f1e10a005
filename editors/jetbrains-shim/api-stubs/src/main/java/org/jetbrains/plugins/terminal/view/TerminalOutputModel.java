package org.jetbrains.plugins.terminal.view;

public interface TerminalOutputModel {
    TerminalOffset getStartOffset();
    TerminalOffset getEndOffset();
    CharSequence getText(TerminalOffset start, TerminalOffset end);
}
