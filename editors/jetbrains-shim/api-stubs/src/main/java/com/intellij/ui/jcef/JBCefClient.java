package com.intellij.ui.jcef;

import dev.wave.stub.Stub;
import org.cef.browser.CefBrowser;
import org.cef.handler.CefLoadHandler;
import org.cef.handler.CefRequestHandler;

public class JBCefClient {
    public JBCefClient addLoadHandler(CefLoadHandler handler, CefBrowser browser) {
        throw new Stub();
    }
    public JBCefClient addRequestHandler(CefRequestHandler handler, CefBrowser browser) {
        throw new Stub();
    }
}
