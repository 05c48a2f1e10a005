package com.intellij.terminal;

import com.intellij.terminal.ui.TerminalWidget;
import com.jediterm.terminal.model.TerminalTextBuffer;
import dev.wave.stub.Stub;

public class JBTerminalWidget {
    public static JBTerminalWidget asJediTermWidget(TerminalWidget widget) {
        throw new Stub();
    }
    public TerminalTextBuffer getTerminalTextBuffer() {
        throw new Stub();
    }
}
