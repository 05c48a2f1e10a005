package com.intellij.ui.jcef;

import com.intellij.openapi.Disposable;
import dev.wave.stub.Stub;
import java.util.function.Function;

public class JBCefJSQuery implements Disposable {
    public static JBCefJSQuery create(JBCefBrowserBase browser) {
        throw new Stub();
    }
    public void addHandler(Function<? super String, ? extends Response> handler) {
        throw new Stub();
    }
    public String inject(String result, String success, String failure) {
        throw new Stub();
    }
    public void dispose() {
        throw new Stub();
    }
    public static class Response {}
}
