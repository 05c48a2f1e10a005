package org.jetbrains.plugins.terminal.view.shellIntegration;

import java.util.List;

public interface TerminalBlocksModel {
    List<TerminalBlockBase> getBlocks();
}
