package com.intellij;

import dev.wave.stub.Stub;
import java.util.Locale;

public class DynamicBundle {
    public static Locale getLocale() {
        throw new Stub();
    }
}
