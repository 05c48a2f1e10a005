package dev.wave.bridge.ide;

import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.actionSystem.CommonDataKeys;
import com.intellij.openapi.editor.Document;
import com.intellij.openapi.editor.Editor;
import com.intellij.openapi.editor.SelectionModel;
import com.intellij.openapi.fileEditor.FileDocumentManager;
import com.intellij.openapi.project.DumbAwareAction;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import dev.wave.bridge.context.Selection;
import dev.wave.bridge.notice.Notice;
import dev.wave.bridge.notice.Text;
import java.util.List;

/** "Add selection to Wave": the selected lines as a chip in the input. */
public final class AddSelectionAction extends DumbAwareAction {
    @Override
    public void actionPerformed(AnActionEvent event) {
        Project project = event.getProject();
        Editor editor = event.getData(CommonDataKeys.EDITOR);
        if (project == null || editor == null) {
            return;
        }
        Document document = editor.getDocument();
        SelectionModel selected = editor.getSelectionModel();
        VirtualFile file = FileDocumentManager.getInstance().getFile(document);
        if (selected.getSelectedText() == null || file == null) {
            String text = Text.NO_SELECTION.in(WaveService.locale());
            WaveService.of(project).bridge().editor().show(new Notice(Notice.Level.INFO, text, List.of()));
            return;
        }
        Selection selection = new Selection(
                file.getPath(),
                document.getLineNumber(selected.getSelectionStart()),
                document.getLineNumber(selected.getSelectionEnd()),
                selected.getSelectedText());
        WaveToolWindow.tell(project, "host/insert", selection.insertion());
    }
}
