package com.intellij.openapi.vfs;

import dev.wave.stub.Stub;

public abstract class LocalFileSystem {
    public static LocalFileSystem getInstance() {
        throw new Stub();
    }
    public abstract VirtualFile refreshAndFindFileByPath(String path);
}
