package kotlinx.coroutines;

public interface Deferred<T> extends Job {
    T getCompleted();
}
