package com.intellij.openapi.editor.colors;

public interface EditorColorsScheme {
    String getEditorFontName();
}
