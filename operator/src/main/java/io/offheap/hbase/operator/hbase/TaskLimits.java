package io.offheap.hbase.operator.hbase;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Limits the concurrent tasks of each name; further tasks wait for one to end. A task that fails,
 * by its future or by an exception, fails only its own result.
 *
 * <p>A task may end on the thread that starts it, while it starts. Waiting tasks are therefore
 * started in a loop by one thread at a time: if the end of each task started the next, many tasks
 * that fail at once would overflow the stack.
 */
final class TaskLimits {
  private final int atOnce;
  private final Map<String, Limit> limits = new HashMap<>();

  private static final class Limit {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    /** Whether a thread is in the loop that starts waiting tasks; it sees later changes. */
    private boolean isBeginning;
  }

  TaskLimits(int atOnce) {
    this.atOnce = atOnce;
  }

  /** Starts the task now or later, and returns its result. */
  <T> CompletableFuture<T> run(String name, Supplier<CompletableFuture<T>> task) {
    var result = new CompletableFuture<T>();
    synchronized (this) {
      limits.computeIfAbsent(name, it -> new Limit()).waiting.add(() -> begin(name, task, result));
    }
    beginWaiting(name);
    return result;
  }

  private <T> void begin(
      String name, Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
    var unused =
        begun(task)
            .whenComplete(
                (value, error) -> {
                  try {
                    if (error == null) {
                      result.complete(value);
                    } else {
                      result.completeExceptionally(error);
                    }
                  } finally {
                    end(name);
                  }
                });
  }

  private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> task) {
    try {
      return task.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void end(String name) {
    synchronized (this) {
      limits.get(name).running--;
    }
    beginWaiting(name);
  }

  private void beginWaiting(String name) {
    synchronized (this) {
      var limit = limits.get(name);
      // The loop of another thread, or of a caller on this thread's stack, starts the next task.
      if (limit == null || limit.isBeginning) {
        return;
      }
      limit.isBeginning = true;
    }
    for (var next = next(name); next != null; next = next(name)) {
      next.run();
    }
  }

  /** The next task that may start; null ends the loop. */
  private synchronized Runnable next(String name) {
    var limit = limits.get(name);
    if (limit.running < atOnce && !limit.waiting.isEmpty()) {
      limit.running++;
      return limit.waiting.remove();
    }
    limit.isBeginning = false;
    if (limit.running == 0) {
      limits.remove(name);
    }
    return null;
  }
}
