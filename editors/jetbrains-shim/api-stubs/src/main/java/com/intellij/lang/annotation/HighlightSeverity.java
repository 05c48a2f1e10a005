package com.intellij.lang.annotation;

public class HighlightSeverity {
    public final int myVal = 0;
}
