package org.cef.network;

public abstract class CefResponse {
    public abstract void setStatus(int status);
    public abstract void setMimeType(String type);
}
