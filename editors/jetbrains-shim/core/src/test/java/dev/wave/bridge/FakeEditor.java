package dev.wave.bridge;

import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.notice.Notice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An IDE that remembers what it was asked; there is no real one to be had. */
public final class FakeEditor implements Editor {
    public final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
    public final List<String> done = new ArrayList<>();
    public Supplier<CompletableFuture<Terminal>> terminal =
            () -> CompletableFuture.completedFuture(new Terminal.Unavailable("noTerminal"));
    public Supplier<CompletableFuture<Problems>> problems =
            () -> CompletableFuture.completedFuture(new Problems.Unavailable("noEditor"));

    private synchronized CompletableFuture<Boolean> doing(String what) {
        done.add(what);
        notifyAll();
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Boolean> openFile(String path, int line, int column, boolean focus) {
        return doing("open " + path + " " + line + ":" + column + (focus ? " focus" : ""));
    }

    @Override
    public CompletableFuture<Boolean> openUrl(String url) {
        return doing("url " + url);
    }

    @Override
    public CompletableFuture<Boolean> copy(String text) {
        return doing("copy " + text);
    }

    @Override
    public void show(Notice notice) {
        notices.add(notice);
    }

    @Override
    public void openSettings() {
        doing("settings");
    }

    @Override
    public void openLog() {
        doing("log");
    }

    @Override
    public CompletableFuture<Terminal> terminal() {
        return terminal.get();
    }

    @Override
    public CompletableFuture<Problems> problems() {
        return problems.get();
    }

    /** Waits for the last thing that was done to begin with {@code start}, and gives it. */
    public synchronized String did(String start) throws InterruptedException {
        while (done.isEmpty() || !done.get(done.size() - 1).startsWith(start)) {
            if (!notices.isEmpty()) {
                throw new AssertionError(notices);
            }
            wait(200); // a notice wakes nobody
        }
        return done.get(done.size() - 1);
    }

    public Notice notice() throws InterruptedException {
        Notice notice = notices.poll(60, TimeUnit.SECONDS);
        if (notice == null) {
            throw new AssertionError("no notice");
        }
        return notice;
    }
}
