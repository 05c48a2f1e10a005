package org.cef.handler;

import dev.wave.stub.Stub;
import org.cef.callback.CefCallback;
import org.cef.misc.IntRef;
import org.cef.misc.StringRef;
import org.cef.network.CefRequest;
import org.cef.network.CefResponse;

public abstract class CefResourceHandlerAdapter implements CefResourceHandler {
    public boolean processRequest(CefRequest request, CefCallback callback) {
        throw new Stub();
    }
    public void getResponseHeaders(CefResponse response, IntRef length, StringRef redirect) {
        throw new Stub();
    }
    public boolean readResponse(byte[] out, int wanted, IntRef read, CefCallback callback) {
        throw new Stub();
    }
}
