package dev.wave.bridge.ide;

import com.google.gson.JsonObject;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.project.DumbAware;
import com.intellij.openapi.project.DumbAwareAction;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.util.Key;
import com.intellij.openapi.wm.ToolWindow;
import com.intellij.openapi.wm.ToolWindowFactory;
import com.intellij.openapi.wm.ToolWindowManager;
import com.intellij.ui.content.Content;
import com.intellij.ui.content.ContentFactory;
import dev.wave.bridge.notice.Text;
import java.util.List;

/** The tool window "Wave" and its tabs, a panel each. */
public final class WaveToolWindow implements ToolWindowFactory, DumbAware {
    private static final Key<PanelTab> TAB = Key.create("dev.wave.bridge.panel");

    @Override
    public void createToolWindowContent(Project project, ToolWindow window) {
        window.setTitleActions(List.of(new DumbAwareAction(Text.NEW_TAB.in(WaveService.locale())) {
            @Override
            public void actionPerformed(AnActionEvent event) {
                add(project);
            }
        }));
        add(project, window);
    }

    /** Opens another tab. */
    static void add(Project project) {
        ToolWindow window = window(project);
        if (window != null) {
            window.activate(() -> add(project, window));
        }
    }

    private static void add(Project project, ToolWindow window) {
        PanelTab tab = new PanelTab(project);
        Content content = ContentFactory.getInstance().createContent(tab.component(), "Wave", false);
        content.setCloseable(true);
        content.setDisposer(tab);
        content.putUserData(TAB, tab);
        tab.shownAs(content);
        window.getContentManager().addContent(content);
        window.getContentManager().setSelectedContent(content);
    }

    /** Shows the tool window and hands its selected panel a message. */
    static void tell(Project project, String method, JsonObject params) {
        ToolWindow window = window(project);
        if (window == null) {
            return;
        }
        window.activate(() -> {
            Content content = window.getContentManager().getSelectedContent();
            if (content == null) {
                add(project, window); // its last tab was closed
                content = window.getContentManager().getSelectedContent();
            }
            PanelTab tab = content.getUserData(TAB);
            if (tab != null) {
                tab.panel().tell(method, params);
            }
        });
    }

    static void later(Project project, Runnable work) {
        ApplicationManager.getApplication().invokeLater(() -> {
            if (!project.isDisposed()) {
                work.run();
            }
        });
    }

    private static ToolWindow window(Project project) {
        return ToolWindowManager.getInstance(project).getToolWindow("Wave");
    }
}
