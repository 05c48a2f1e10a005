package org.cef.handler;

import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.network.CefRequest.TransitionType;

public interface CefLoadHandler {
    void onLoadStart(CefBrowser browser, CefFrame frame, TransitionType transition);
    void onLoadEnd(CefBrowser browser, CefFrame frame, int status);
}
