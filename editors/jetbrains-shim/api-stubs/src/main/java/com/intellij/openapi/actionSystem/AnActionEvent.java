package com.intellij.openapi.actionSystem;

import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public class AnActionEvent {
    public final Project getProject() {
        throw new Stub();
    }
    public final <T> T getData(DataKey<T> key) {
        throw new Stub();
    }
}
