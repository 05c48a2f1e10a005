package com.intellij.codeInsight.daemon.impl;

import com.intellij.lang.annotation.HighlightSeverity;
import com.intellij.openapi.editor.Document;
import com.intellij.openapi.project.Project;
import com.intellij.psi.PsiFile;
import com.intellij.util.Processor;
import dev.wave.stub.Stub;

public abstract class DaemonCodeAnalyzerEx {
    public static DaemonCodeAnalyzerEx getInstanceEx(Project project) {
        throw new Stub();
    }
    public static boolean processHighlights(Document document, Project project, HighlightSeverity least, int start, int end, Processor<? super HighlightInfo> processor) {
        throw new Stub();
    }
    public abstract boolean isErrorAnalyzingFinished(PsiFile file);
}
