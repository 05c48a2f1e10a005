package org.cef.handler;

import dev.wave.stub.Stub;
import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.network.CefRequest.TransitionType;

public abstract class CefLoadHandlerAdapter implements CefLoadHandler {
    public void onLoadStart(CefBrowser browser, CefFrame frame, TransitionType transition) {
        throw new Stub();
    }
    public void onLoadEnd(CefBrowser browser, CefFrame frame, int status) {
        throw new Stub();
    }
}
