package io.offheap.hbase.operator.hbase;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Begins so many tasks of each name at a time and no more; further ones wait for one to end. A task
 * that fails, by its future or by an exception, fails its own result and no other.
 *
 * <p>A task may end while it begins, on the thread that begins it. Waiting tasks are therefore
 * begun in a loop by one thread at a time: were each begun by the end of the one before, as many
 * that fail at once would overflow that thread's stack.
 */
final class Lanes {
  private final int atOnce;
  private final Map<String, Lane> lanes = new HashMap<>();

  private static final class Lane {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    /** Whether a thread is in the loop that begins what waits; it sees whatever changes. */
    private boolean isBeginning;
  }

  Lanes(int atOnce) {
    this.atOnce = atOnce;
  }

  /** What the task gives, once it was begun and has ended. */
  <T> CompletableFuture<T> run(String name, Supplier<CompletableFuture<T>> task) {
    var result = new CompletableFuture<T>();
    synchronized (this) {
      lanes.computeIfAbsent(name, it -> new Lane()).waiting.add(() -> begin(name, task, result));
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
      lanes.get(name).running--;
    }
    beginWaiting(name);
  }

  private void beginWaiting(String name) {
    synchronized (this) {
      var lane = lanes.get(name);
      // The loop of another thread, or further down on this one's stack, begins the next.
      if (lane == null || lane.isBeginning) {
        return;
      }
      lane.isBeginning = true;
    }
    for (var next = next(name); next != null; next = next(name)) {
      next.run();
    }
  }

  /** The next task that may begin; null ends the loop. */
  private synchronized Runnable next(String name) {
    var lane = lanes.get(name);
    if (lane.running < atOnce && !lane.waiting.isEmpty()) {
      lane.running++;
      return lane.waiting.remove();
    }
    lane.isBeginning = false;
    if (lane.running == 0) {
      lanes.remove(name);
    }
    return null;
  }
}
