package com.intellij.openapi.editor.markup;

public interface MarkupModel {
    RangeHighlighter[] getAllHighlighters();
}
