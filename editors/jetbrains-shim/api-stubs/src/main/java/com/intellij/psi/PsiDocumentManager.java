package com.intellij.psi;

import com.intellij.openapi.editor.Document;
import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public abstract class PsiDocumentManager {
    public static PsiDocumentManager getInstance(Project project) {
        throw new Stub();
    }
    public abstract PsiFile getPsiFile(Document document);
}
