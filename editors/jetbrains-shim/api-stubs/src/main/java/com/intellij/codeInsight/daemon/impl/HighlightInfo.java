package com.intellij.codeInsight.daemon.impl;

import com.intellij.lang.annotation.HighlightSeverity;
import com.intellij.openapi.editor.markup.RangeHighlighter;
import dev.wave.stub.Stub;

public class HighlightInfo {
    public final int startOffset = 0;
    public final int endOffset = 0;
    public static HighlightInfo fromRangeHighlighter(RangeHighlighter highlighter) {
        throw new Stub();
    }
    public String getDescription() {
        throw new Stub();
    }
    public HighlightSeverity getSeverity() {
        throw new Stub();
    }
}
