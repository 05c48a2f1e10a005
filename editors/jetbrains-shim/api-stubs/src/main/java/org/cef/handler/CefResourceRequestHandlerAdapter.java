package org.cef.handler;

import dev.wave.stub.Stub;
import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.network.CefRequest;

public abstract class CefResourceRequestHandlerAdapter implements CefResourceRequestHandler {
    public CefResourceHandler getResourceHandler(CefBrowser browser, CefFrame frame, CefRequest request) {
        throw new Stub();
    }
}
