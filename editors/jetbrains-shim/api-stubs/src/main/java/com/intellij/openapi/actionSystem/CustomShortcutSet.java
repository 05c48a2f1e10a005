package com.intellij.openapi.actionSystem;

import dev.wave.stub.Stub;

public final class CustomShortcutSet implements ShortcutSet {
    public static CustomShortcutSet fromString(String... strokes) {
        throw new Stub();
    }
}
