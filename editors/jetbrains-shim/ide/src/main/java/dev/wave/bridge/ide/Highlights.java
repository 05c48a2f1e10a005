package dev.wave.bridge.ide;

import com.intellij.codeInsight.daemon.impl.DaemonCodeAnalyzerEx;
import com.intellij.codeInsight.daemon.impl.HighlightInfo;
import com.intellij.openapi.Disposable;
import com.intellij.openapi.application.ReadAction;
import com.intellij.openapi.editor.Document;
import com.intellij.openapi.editor.Editor;
import com.intellij.openapi.editor.impl.DocumentMarkupModel;
import com.intellij.openapi.editor.markup.RangeHighlighter;
import com.intellij.openapi.fileEditor.FileDocumentManager;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.roots.ProjectRootManager;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.psi.PsiDocumentManager;
import com.intellij.psi.PsiFile;
import dev.wave.bridge.context.Problems;
import dev.wave.bridge.context.Problems.Highlight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the IDE's analysis has found in the active file, from whatever inspection or language server. */
final class Highlights {
    private Highlights() {}

    /** Call it on a background thread: it waits for a read action, which writing interrupts and begins anew. */
    static Problems of(Project project, Editor editor, Disposable life) {
        if (editor == null) {
            return new Problems.Unavailable("noEditor");
        }
        return ReadAction.nonBlocking(() -> read(project, editor.getDocument()))
                .expireWith(life)
                .executeSynchronously();
    }

    private static Problems read(Project project, Document document) {
        VirtualFile file = FileDocumentManager.getInstance().getFile(document);
        if (file == null) {
            return new Problems.Unavailable("noEditor");
        }
        List<String> roots = Stream.of(ProjectRootManager.getInstance(project).getContentRoots())
                .map(VirtualFile::getPath)
                .toList();
        return new Problems.Found(
                Path.of(file.getPath()).toUri().toString(),
                roots,
                document.getImmutableCharSequence(),
                document.getModificationStamp(),
                finished(project, document),
                highlights(project, document));
    }

    private static boolean finished(Project project, Document document) {
        PsiFile file = PsiDocumentManager.getInstance(project).getPsiFile(document);
        return file == null || DaemonCodeAnalyzerEx.getInstanceEx(project).isErrorAnalyzingFinished(file);
    }

    /** Neither way is public API in name; where the first is gone, the second is older and stays longer. */
    private static List<Highlight> highlights(Project project, Document document) {
        try {
            List<Highlight> found = new ArrayList<>();
            DaemonCodeAnalyzerEx.processHighlights(
                    document, project, null, 0, document.getTextLength(), info -> found.add(highlight(info)));
            return found;
        } catch (LinkageError gone) {
            return marked(project, document);
        }
    }

    private static List<Highlight> marked(Project project, Document document) {
        List<Highlight> found = new ArrayList<>();
        for (RangeHighlighter mark : DocumentMarkupModel.forDocument(document, project, true).getAllHighlighters()) {
            HighlightInfo info = HighlightInfo.fromRangeHighlighter(mark);
            if (info != null) {
                int severity = info.getSeverity().myVal;
                found.add(new Highlight(mark.getStartOffset(), mark.getEndOffset(), severity, info.getDescription(), null));
            }
        }
        return found;
    }

    private static Highlight highlight(HighlightInfo info) {
        return new Highlight(info.startOffset, info.endOffset, info.getSeverity().myVal, info.getDescription(), null);
    }
}
