package com.intellij.openapi.fileEditor;

import com.intellij.openapi.editor.Editor;
import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public abstract class FileEditorManager {
    public static FileEditorManager getInstance(Project project) {
        throw new Stub();
    }
    public abstract Editor getSelectedTextEditor();
    public abstract Editor openTextEditor(OpenFileDescriptor descriptor, boolean focus);
}
