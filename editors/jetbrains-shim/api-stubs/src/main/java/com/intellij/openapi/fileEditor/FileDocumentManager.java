package com.intellij.openapi.fileEditor;

import com.intellij.openapi.editor.Document;
import com.intellij.openapi.vfs.VirtualFile;
import dev.wave.stub.Stub;

public abstract class FileDocumentManager {
    public static FileDocumentManager getInstance() {
        throw new Stub();
    }
    public abstract VirtualFile getFile(Document document);
}
