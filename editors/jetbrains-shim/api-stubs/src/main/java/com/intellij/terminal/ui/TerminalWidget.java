package com.intellij.terminal.ui;

public interface TerminalWidget {

}
