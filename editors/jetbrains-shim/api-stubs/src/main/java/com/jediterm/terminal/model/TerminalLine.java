package com.jediterm.terminal.model;

import dev.wave.stub.Stub;

public class TerminalLine {
    public String getText() {
        throw new Stub();
    }
    public boolean isWrapped() {
        throw new Stub();
    }
}
