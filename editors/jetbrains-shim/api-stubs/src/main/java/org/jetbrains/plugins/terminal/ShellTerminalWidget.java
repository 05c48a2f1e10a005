package org.jetbrains.plugins.terminal;

import com.intellij.terminal.JBTerminalWidget;

public class ShellTerminalWidget extends JBTerminalWidget {

}
