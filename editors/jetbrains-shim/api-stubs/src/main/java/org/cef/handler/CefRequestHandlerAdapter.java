package org.cef.handler;

import dev.wave.stub.Stub;
import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.misc.BoolRef;
import org.cef.network.CefRequest;

public abstract class CefRequestHandlerAdapter implements CefRequestHandler {
    public boolean onBeforeBrowse(CefBrowser browser, CefFrame frame, CefRequest request, boolean gesture, boolean redirect) {
        throw new Stub();
    }
    public CefResourceRequestHandler getResourceRequestHandler(CefBrowser browser, CefFrame frame, CefRequest request, boolean navigation, boolean download, String initiator, BoolRef disableDefault) {
        throw new Stub();
    }
}
