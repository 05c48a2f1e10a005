package com.intellij.openapi.editor.impl;

import com.intellij.openapi.editor.Document;
import com.intellij.openapi.editor.markup.MarkupModel;
import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public final class DocumentMarkupModel {
    public static MarkupModel forDocument(Document document, Project project, boolean create) {
        throw new Stub();
    }
}
