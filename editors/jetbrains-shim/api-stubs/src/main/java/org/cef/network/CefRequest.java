package org.cef.network;

public abstract class CefRequest {
    public enum TransitionType {}
    public abstract String getURL();
}
