package com.intellij.notification;

import dev.wave.stub.Stub;

public final class NotificationGroup {
    public Notification createNotification(String title, String content, NotificationType type) {
        throw new Stub();
    }
}
