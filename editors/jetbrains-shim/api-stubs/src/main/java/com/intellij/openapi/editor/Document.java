package com.intellij.openapi.editor;

public interface Document {
    CharSequence getImmutableCharSequence();
    int getLineNumber(int offset);
    int getTextLength();
    long getModificationStamp();
}
