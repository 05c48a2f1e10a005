package com.intellij.notification;

import com.intellij.openapi.actionSystem.AnAction;
import dev.wave.stub.Stub;

public abstract class NotificationAction extends AnAction {
    public static NotificationAction createSimpleExpiring(String text, Runnable run) {
        throw new Stub();
    }
}
