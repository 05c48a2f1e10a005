package dev.wave.bridge.ide.terminal;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.wm.ToolWindow;
import com.intellij.terminal.JBTerminalWidget;
import com.intellij.terminal.ui.TerminalWidget;
import com.intellij.ui.content.Content;
import com.jediterm.terminal.model.TerminalLine;
import com.jediterm.terminal.model.TerminalTextBuffer;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.context.Terminal.Line;
import dev.wave.bridge.ide.TerminalSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jetbrains.plugins.terminal.ShellTerminalWidget;
import org.jetbrains.plugins.terminal.TerminalToolWindowManager;

/** The classic engine, the only one before 2025.2: a text buffer that knows no commands. */
public final class ClassicTerminal implements TerminalSource {
    @Override
    public Optional<Terminal> read(Project project) {
        ToolWindow window = TerminalToolWindowManager.getInstance(project).getToolWindow();
        Content tab = window == null ? null : window.getContentManager().getSelectedContent();
        if (tab == null) {
            return Optional.empty();
        }
        TerminalWidget widget = TerminalToolWindowManager.findWidgetByContent(tab);
        JBTerminalWidget classic = widget == null ? null : JBTerminalWidget.asJediTermWidget(widget);
        return Optional.of(classic instanceof ShellTerminalWidget
                ? new Terminal.Screen(lines(classic.getTerminalTextBuffer()))
                : new Terminal.Unavailable("notShell")); // MB4
    }

    /** Reads the history as well: it has the negative rows. */
    private static List<Line> lines(TerminalTextBuffer buffer) {
        List<Line> lines = new ArrayList<>();
        buffer.lock();
        try {
            for (int row = -buffer.getHistoryLinesCount(); row < buffer.getScreenLinesCount(); row++) {
                TerminalLine line = buffer.getLine(row);
                lines.add(new Line(line.getText(), line.isWrapped()));
            }
        } finally {
            buffer.unlock();
        }
        return lines;
    }
}
