package org.cef.handler;

import org.cef.browser.CefBrowser;
import org.cef.browser.CefFrame;
import org.cef.misc.BoolRef;
import org.cef.network.CefRequest;

public interface CefRequestHandler {
    boolean onBeforeBrowse(CefBrowser browser, CefFrame frame, CefRequest request, boolean gesture, boolean redirect);
    CefResourceRequestHandler getResourceRequestHandler(CefBrowser browser, CefFrame frame, CefRequest request, boolean navigation, boolean download, String initiator, BoolRef disableDefault);
}
