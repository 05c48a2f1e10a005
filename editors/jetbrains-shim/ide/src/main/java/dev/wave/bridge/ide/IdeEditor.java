package dev.wave.bridge.ide;

import com.intellij.ide.BrowserUtil;
import com.intellij.notification.Notification;
import com.intellij.notification.NotificationAction;
import com.intellij.notification.NotificationGroupManager;
import com.intellij.notification.NotificationType;
import com.intellij.openapi.Disposable;
import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.fileEditor.FileEditorManager;
import com.intellij.openapi.fileEditor.OpenFileDescriptor;
import com.intellij.openapi.ide.CopyPasteManager;
import com.intellij.openapi.options.ShowSettingsUtil;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.LocalFileSystem;
import com.intellij.openapi.vfs.VirtualFile;
import dev.wave.bridge.Editor;
import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Terminal;
import dev.wave.bridge.notice.Notice;
import java.awt.datatransfer.StringSelection;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** What the core wants of an IDE, in this one. */
final class IdeEditor implements Editor {
    private final Project project;
    private final Disposable life;
    private final Path log;

    IdeEditor(Project project, Disposable life, Path log) {
        this.project = project;
        this.life = life;
        this.log = log;
    }

    @Override
    public CompletableFuture<Boolean> openFile(String path, int line, int column, boolean focus) {
        return pooled(() -> LocalFileSystem.getInstance().refreshAndFindFileByPath(path))
                .thenCompose(file -> onEventThread(() -> file != null && open(file, line, column, focus)));
    }

    private boolean open(VirtualFile file, int line, int column, boolean focus) {
        OpenFileDescriptor place = new OpenFileDescriptor(project, file, line, column);
        return FileEditorManager.getInstance(project).openTextEditor(place, focus) != null;
    }

    @Override
    public CompletableFuture<Boolean> openUrl(String url) {
        return pooled(() -> {
            BrowserUtil.browse(url);
            return true;
        });
    }

    @Override
    public CompletableFuture<Boolean> copy(String text) {
        return onEventThread(() -> {
            CopyPasteManager.getInstance().setContents(new StringSelection(text));
            return true;
        });
    }

    @Override
    public void show(Notice notice) {
        NotificationType type = switch (notice.level()) {
            case INFO -> NotificationType.INFORMATION;
            case WARNING -> NotificationType.WARNING;
            case ERROR -> NotificationType.ERROR;
        };
        // a balloon takes HTML: what a CLI wrote to stderr is text
        String text = notice.text().replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>");
        Notification balloon = NotificationGroupManager.getInstance()
                .getNotificationGroup("Wave")
                .createNotification("Wave", text, type)
                .whenExpired(notice.closed());
        for (Notice.Action action : notice.actions()) {
            balloon.addAction(NotificationAction.createSimpleExpiring(action.label(), action.run()));
        }
        balloon.notify(project);
    }

    @Override
    public void openSettings() {
        onEventThread(() -> {
            ShowSettingsUtil.getInstance().showSettingsDialog(project, WaveConfigurable.class);
            return true;
        });
    }

    @Override
    public void openLog() {
        openFile(log.toString(), 0, 0, true);
    }

    @Override
    public CompletableFuture<Terminal> terminal() {
        return onEventThread(() -> TerminalSource.active(project));
    }

    @Override
    public CompletableFuture<Problems> problems() {
        return onEventThread(() -> FileEditorManager.getInstance(project).getSelectedTextEditor())
                .thenCompose(editor -> pooled(() -> Highlights.of(project, editor, life)));
    }

    private <T> CompletableFuture<T> onEventThread(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        ApplicationManager.getApplication().invokeLater(() -> complete(done, work));
        return done;
    }

    private <T> CompletableFuture<T> pooled(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        ApplicationManager.getApplication().executeOnPooledThread(() -> complete(done, work));
        return done;
    }

    private <T> void complete(CompletableFuture<T> done, Callable<T> work) {
        if (project.isDisposed()) {
            done.completeExceptionally(new IllegalStateException("the project is closed"));
            return;
        }
        try {
            done.complete(work.call());
        } catch (Exception | LinkageError fault) { // the edge that answers: an IDE whose API is another one, too
            done.completeExceptionally(fault);
        }
    }
}
