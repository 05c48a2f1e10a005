package org.cef.browser;

public interface CefBrowser {
    void executeJavaScript(String code, String url, int line);
}
