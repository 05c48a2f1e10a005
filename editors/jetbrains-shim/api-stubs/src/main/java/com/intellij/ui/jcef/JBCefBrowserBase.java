package com.intellij.ui.jcef;

import com.intellij.openapi.Disposable;
import dev.wave.stub.Stub;
import javax.swing.JComponent;
import org.cef.browser.CefBrowser;

public abstract class JBCefBrowserBase implements Disposable {
    public JBCefClient getJBCefClient() {
        throw new Stub();
    }
    public CefBrowser getCefBrowser() {
        throw new Stub();
    }
    public void loadURL(String url) {
        throw new Stub();
    }
    public abstract JComponent getComponent();
    public void dispose() {
        throw new Stub();
    }
}
