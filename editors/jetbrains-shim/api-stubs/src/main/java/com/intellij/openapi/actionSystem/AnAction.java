package com.intellij.openapi.actionSystem;

import dev.wave.stub.Stub;
import javax.swing.JComponent;

public abstract class AnAction {
    protected AnAction() {}
    protected AnAction(String text) {}
    public abstract void actionPerformed(AnActionEvent event);
    public final void registerCustomShortcutSet(ShortcutSet shortcuts, JComponent component) {
        throw new Stub();
    }
}
