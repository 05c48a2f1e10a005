package org.cef.callback;

public interface CefCallback {
    void Continue();
}
