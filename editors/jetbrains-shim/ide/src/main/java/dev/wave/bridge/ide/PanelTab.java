package dev.wave.bridge.ide;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.intellij.ide.ui.LafManagerListener;
import com.intellij.openapi.Disposable;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.actionSystem.CustomShortcutSet;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.project.DumbAwareAction;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.util.Disposer;
import com.intellij.ui.content.Content;
import dev.wave.bridge.ProjectBridge;
import dev.wave.bridge.notice.Text;
import dev.wave.bridge.panel.Page;
import dev.wave.bridge.panel.PageScript;
import dev.wave.bridge.panel.Panel;
import dev.wave.bridge.panel.Shortcut;
import java.awt.GridBagLayout;
import java.util.Locale;
import javax.swing.Box;
import javax.swing.JButton;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JPanel;

/** One tab of the tool window: a panel, and what shows it, which without a browser in the IDE is a way to another. */
final class PanelTab implements Page, Disposable {
    private final Project project;
    private final ProjectBridge bridge;
    private final PanelView view = PanelView.make();
    private final Panel panel;
    private volatile Content content;
    private volatile String title = "Wave";
    private volatile int waiting;

    PanelTab(Project project) {
        this.project = project;
        WaveService service = WaveService.of(project);
        this.bridge = service.bridge();
        this.panel = bridge.panels().open("toolWindow", service.folder().toString(), this);
        bridge.start();
        if (view != null) {
            Disposer.register(this, view);
            view.show(panel, this::facts);
            forwardKeys(view.component());
            ApplicationManager.getApplication().getMessageBus().connect(this)
                    .subscribe(LafManagerListener.TOPIC, source -> view.run(Look.script()));
        }
    }

    Panel panel() {
        return panel;
    }

    JComponent component() {
        return view == null ? withoutBrowser() : view.component();
    }

    void shownAs(Content shown) {
        content = shown;
    }

    /** Gives what the page is told of its host (meta wave-host). */
    private JsonObject facts() {
        JsonObject facts = new JsonObject();
        facts.addProperty("kind", "jetbrains");
        facts.addProperty("panelId", panel.id());
        facts.addProperty("placement", "toolWindow");
        facts.addProperty("workdir", WaveService.of(project).folder().toString());
        facts.addProperty("locale", WaveService.locale().toLowerCase(Locale.ROOT).startsWith("zh") ? "zh-CN" : "en");
        facts.addProperty("editor", true);
        facts.add("reload", panel.state());
        return facts;
    }

    private void forwardKeys(JComponent browser) {
        boolean mac = System.getProperty("os.name").startsWith("Mac");
        for (Shortcut shortcut : Shortcut.all(mac)) {
            new DumbAwareAction() {
                @Override
                public void actionPerformed(AnActionEvent event) {
                    view.run(PageScript.press(shortcut));
                }
            }.registerCustomShortcutSet(CustomShortcutSet.fromString(shortcut.stroke()), browser);
        }
    }

    private JComponent withoutBrowser() {
        String locale = WaveService.locale();
        JButton open = new JButton(Text.OPEN_BROWSER.in(locale));
        open.addActionListener(pressed -> bridge.openInBrowser());
        Box column = Box.createVerticalBox();
        column.add(new JLabel(Text.NO_BROWSER.in(locale)));
        column.add(open);
        JPanel middle = new JPanel(new GridBagLayout());
        middle.add(column);
        return middle;
    }

    @Override
    public void run(String script) {
        if (view != null) {
            view.run(script);
        }
    }

    @Override
    public void title(String text) {
        title = text;
        rename();
    }

    @Override
    public void badge(int count) {
        waiting = count;
        rename();
    }

    private void rename() {
        ApplicationManager.getApplication().invokeLater(() -> {
            if (content != null) {
                content.setDisplayName(waiting > 0 ? "● " + title : title);
            }
        });
    }

    @Override
    public void command(String id, JsonElement arguments) {
        switch (id) {
            case "openBrowser" -> bridge.openInBrowser();
            case "settings" -> bridge.editor().openSettings();
            case "showLogs" -> bridge.editor().openLog();
            case "openTab", "openWindow" -> WaveToolWindow.later(project, () -> WaveToolWindow.add(project));
            default -> {} // a newer panel's: it looks at what the host can do before it offers it
        }
    }

    @Override
    public void dispose() {
        panel.close();
    }
}
