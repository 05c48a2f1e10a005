package com.intellij.ide.ui;

import com.intellij.util.messages.Topic;

public interface LafManagerListener {
    Topic<LafManagerListener> TOPIC = null;
    void lookAndFeelChanged(LafManager source);
}
