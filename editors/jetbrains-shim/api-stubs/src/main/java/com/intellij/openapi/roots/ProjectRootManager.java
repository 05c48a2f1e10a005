package com.intellij.openapi.roots;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import dev.wave.stub.Stub;

public abstract class ProjectRootManager {
    public static ProjectRootManager getInstance(Project project) {
        throw new Stub();
    }
    public abstract VirtualFile[] getContentRoots();
}
