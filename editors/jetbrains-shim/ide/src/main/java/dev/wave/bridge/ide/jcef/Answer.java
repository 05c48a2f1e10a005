package dev.wave.bridge.ide.jcef;

import dev.wave.bridge.panel.PageFiles;
import org.cef.callback.CefCallback;
import org.cef.handler.CefResourceHandlerAdapter;
import org.cef.misc.IntRef;
import org.cef.misc.StringRef;
import org.cef.network.CefRequest;
import org.cef.network.CefResponse;

/** Hands one of the panel's files to Chromium, piece by piece as it asks for them. */
final class Answer extends CefResourceHandlerAdapter {
    private final PageFiles.Reply reply;
    private int given;

    Answer(PageFiles.Reply reply) {
        this.reply = reply;
    }

    @Override
    public boolean processRequest(CefRequest request, CefCallback callback) {
        callback.Continue();
        return true;
    }

    @Override
    public void getResponseHeaders(CefResponse response, IntRef length, StringRef redirect) {
        response.setStatus(reply.status());
        response.setMimeType(reply.type());
        length.set(reply.body().length);
    }

    @Override
    public boolean readResponse(byte[] out, int wanted, IntRef read, CefCallback callback) {
        int count = Math.min(wanted, reply.body().length - given);
        if (count <= 0) {
            read.set(0);
            return false;
        }
        System.arraycopy(reply.body(), given, out, 0, count);
        given += count;
        read.set(count);
        return true;
    }
}
