package org.cef.misc;

import dev.wave.stub.Stub;

public class IntRef {
    public void set(int value) {
        throw new Stub();
    }
}
