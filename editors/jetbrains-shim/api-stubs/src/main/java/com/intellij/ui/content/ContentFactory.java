package com.intellij.ui.content;

import dev.wave.stub.Stub;
import javax.swing.JComponent;

public interface ContentFactory {
    static ContentFactory getInstance() {
        throw new Stub();
    }
    Content createContent(JComponent component, String name, boolean lockable);
}
