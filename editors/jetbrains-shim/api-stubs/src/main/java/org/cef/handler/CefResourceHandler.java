package org.cef.handler;

import org.cef.callback.CefCallback;
import org.cef.misc.IntRef;
import org.cef.misc.StringRef;
import org.cef.network.CefRequest;
import org.cef.network.CefResponse;

public interface CefResourceHandler {
    boolean processRequest(CefRequest request, CefCallback callback);
    void getResponseHeaders(CefResponse response, IntRef length, StringRef redirect);
    boolean readResponse(byte[] out, int wanted, IntRef read, CefCallback callback);
}
