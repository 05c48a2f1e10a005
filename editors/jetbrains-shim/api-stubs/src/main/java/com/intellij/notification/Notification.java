package com.intellij.notification;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public class Notification {
    public Notification addAction(AnAction action) {
        throw new Stub();
    }
    public Notification whenExpired(Runnable then) {
        throw new Stub();
    }
    public void notify(Project project) {
        throw new Stub();
    }
}
