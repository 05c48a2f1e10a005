package org.jetbrains.plugins.terminal.view.shellIntegration;

import dev.wave.stub.Stub;
import org.jetbrains.plugins.terminal.view.TerminalOutputModel;

public final class TerminalBlocksKt {
    public static String getOutputText(TerminalCommandBlock block, TerminalOutputModel model) {
        throw new Stub();
    }
}
