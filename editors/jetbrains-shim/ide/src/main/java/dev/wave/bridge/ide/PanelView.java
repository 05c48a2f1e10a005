package dev.wave.bridge.ide;

import com.google.gson.JsonObject;
import com.intellij.openapi.Disposable;
import dev.wave.bridge.panel.Panel;
import java.util.function.Supplier;
import javax.swing.JComponent;

/** What shows a panel's page: a browser inside the IDE. */
public interface PanelView extends Disposable {
    JComponent component();

    /** Runs a script in the page, on any thread. */
    void run(String script);

    /** Loads the page; {@code facts} are asked for at each load, what the page says goes to {@code panel}. */
    void show(Panel panel, Supplier<JsonObject> facts);

    /**
     * Makes one; null where this IDE has no browser: its classes are absent (a plugin of their own since 2026.2), or it
     * can't start one. The class is reached by name, so that nothing else needs those classes to be loaded.
     */
    static PanelView make() {
        try {
            Class<?> browser = Class.forName("dev.wave.bridge.ide.jcef.BrowserView");
            return (PanelView) browser.getMethod("make").invoke(null);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return null;
        }
    }
}
