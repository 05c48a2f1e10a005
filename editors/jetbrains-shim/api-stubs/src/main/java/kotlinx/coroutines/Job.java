package kotlinx.coroutines;

public interface Job {
    boolean isCompleted();
    boolean isCancelled();
}
