package org.cef.browser;

public interface CefFrame {
    boolean isMain();
}
