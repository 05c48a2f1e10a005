package com.intellij.notification;

import dev.wave.stub.Stub;

public interface NotificationGroupManager {
    static NotificationGroupManager getInstance() {
        throw new Stub();
    }
    NotificationGroup getNotificationGroup(String id);
}
