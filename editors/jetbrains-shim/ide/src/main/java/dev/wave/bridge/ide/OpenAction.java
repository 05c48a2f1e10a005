package dev.wave.bridge.ide;

import com.google.gson.JsonObject;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.project.DumbAwareAction;

/** "Open Wave": shows the tool window, the cursor in the input. */
public final class OpenAction extends DumbAwareAction {
    @Override
    public void actionPerformed(AnActionEvent event) {
        if (event.getProject() != null) {
            WaveToolWindow.tell(event.getProject(), "host/focus", new JsonObject());
        }
    }
}
