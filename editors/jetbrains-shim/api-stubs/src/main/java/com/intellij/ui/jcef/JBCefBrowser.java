package com.intellij.ui.jcef;

import dev.wave.stub.Stub;
import javax.swing.JComponent;

public class JBCefBrowser extends JBCefBrowserBase {
    public JBCefBrowser() {}
    public JComponent getComponent() {
        throw new Stub();
    }
}
