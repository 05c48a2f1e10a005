package dev.wave.bridge.ide.blocks;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.wm.ToolWindow;
import com.intellij.openapi.wm.ToolWindowManager;
import com.intellij.terminal.frontend.toolwindow.TerminalToolWindowTab;
import com.intellij.terminal.frontend.toolwindow.TerminalToolWindowTabsManager;
import com.intellij.terminal.frontend.view.TerminalView;
import com.intellij.ui.content.Content;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.context.Terminal.Line;
import dev.wave.bridge.ide.TerminalSource;
import java.util.List;
import java.util.Optional;
import kotlinx.coroutines.Deferred;
import org.jetbrains.plugins.terminal.view.TerminalOutputModel;
import org.jetbrains.plugins.terminal.view.shellIntegration.TerminalBlockBase;
import org.jetbrains.plugins.terminal.view.shellIntegration.TerminalBlocksKt;
import org.jetbrains.plugins.terminal.view.shellIntegration.TerminalCommandBlock;
import org.jetbrains.plugins.terminal.view.shellIntegration.TerminalShellIntegration;

/** The reworked engine, from 2025.3 on: its shell integration bounds commands, and its screen can be read without. */
public final class BlockTerminal implements TerminalSource {
    @Override
    public Optional<Terminal> read(Project project) {
        ToolWindow window = ToolWindowManager.getInstance(project).getToolWindow("Terminal");
        Content selected = window == null ? null : window.getContentManager().getSelectedContent();
        return TerminalToolWindowTabsManager.getInstance(project).getTabs().stream()
                .filter(tab -> tab.getContent().equals(selected))
                .map(TerminalToolWindowTab::getView)
                .map(BlockTerminal::read)
                .findFirst();
    }

    private static Terminal read(TerminalView view) {
        TerminalOutputModel screen = view.getOutputModels().getRegular();
        Deferred<TerminalShellIntegration> integration = view.getShellIntegrationDeferred();
        if (integration.isCompleted() && !integration.isCancelled()) { // it may never be: nobody waits for it
            List<TerminalBlockBase> blocks = integration.getCompleted().getBlocksModel().getBlocks();
            for (int at = blocks.size() - 1; at >= 0; at--) {
                if (blocks.get(at) instanceof TerminalCommandBlock block && block.getExecutedCommand() != null) {
                    return command(block, screen);
                }
            }
        }
        String text = screen.getText(screen.getStartOffset(), screen.getEndOffset()).toString();
        return new Terminal.Screen(text.lines().map(line -> new Line(line, false)).toList());
    }

    private static Terminal command(TerminalCommandBlock block, TerminalOutputModel screen) {
        String output = TerminalBlocksKt.getOutputText(block, screen);
        Integer code = block.getExitCode();
        return new Terminal.Command(block.getExecutedCommand(), output == null ? "" : output, code, code == null);
    }
}
