package com.intellij.openapi.editor.colors;

import dev.wave.stub.Stub;

public abstract class EditorColorsManager {
    public static EditorColorsManager getInstance() {
        throw new Stub();
    }
    public abstract EditorColorsScheme getGlobalScheme();
}
