package com.intellij.openapi.fileEditor;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;

public class OpenFileDescriptor {
    public OpenFileDescriptor(Project project, VirtualFile file, int line, int column) {}
}
