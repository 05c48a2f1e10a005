package com.intellij.openapi.actionSystem;

public interface ShortcutSet {

}
