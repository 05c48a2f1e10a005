package com.jediterm.terminal.model;

import dev.wave.stub.Stub;

public class TerminalTextBuffer {
    public void lock() {
        throw new Stub();
    }
    public void unlock() {
        throw new Stub();
    }
    public int getHistoryLinesCount() {
        throw new Stub();
    }
    public int getScreenLinesCount() {
        throw new Stub();
    }
    public TerminalLine getLine(int index) {
        throw new Stub();
    }
}
