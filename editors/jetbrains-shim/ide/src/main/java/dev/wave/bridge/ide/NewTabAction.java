package dev.wave.bridge.ide;

import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.project.DumbAwareAction;

/** "New tab": another panel, with a session of its own. */
public final class NewTabAction extends DumbAwareAction {
    @Override
    public void actionPerformed(AnActionEvent event) {
        if (event.getProject() != null) {
            WaveToolWindow.add(event.getProject());
        }
    }
}
