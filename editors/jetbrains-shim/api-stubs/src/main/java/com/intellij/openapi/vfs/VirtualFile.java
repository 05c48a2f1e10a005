package com.intellij.openapi.vfs;

public abstract class VirtualFile {
    public abstract String getPath();
}
