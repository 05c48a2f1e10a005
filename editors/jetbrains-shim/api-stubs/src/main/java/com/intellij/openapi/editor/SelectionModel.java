package com.intellij.openapi.editor;

public interface SelectionModel {
    String getSelectedText();
    int getSelectionStart();
    int getSelectionEnd();
}
