package com.intellij.util.messages;

public interface MessageBusConnection extends SimpleMessageBusConnection {

}
