package dev.wave.bridge.daemon;

import java.io.IOException;

/** The bridge is not there: not startable, ended, or silent. The message is for a person and says why. */
public final class DaemonLost extends IOException {
    private static final long serialVersionUID = 1L;

    public DaemonLost(String message) {
        super(message);
    }

    public DaemonLost(String message, Throwable cause) {
        super(message, cause);
    }
}
