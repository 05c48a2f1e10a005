package dev.wave.stub;

/** What every body of a stub throws: stubs are there to compile against, never to run. */
public final class Stub extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;
}
