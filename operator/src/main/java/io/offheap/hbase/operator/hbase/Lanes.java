package io.offheap.hbase.operator.hbase;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Begins so many tasks of each name at a time and no more; further ones wait for one to end. */
final class Lanes {
  private final int atOnce;
  private final Map<String, Lane> lanes = new HashMap<>();

  private static final class Lane {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
  }

  Lanes(int atOnce) {
    this.atOnce = atOnce;
  }

  /** What the task gives, once it was begun and has ended. */
  <T> CompletableFuture<T> run(String name, Supplier<CompletableFuture<T>> task) {
    var result = new CompletableFuture<T>();
    Runnable begin =
        () -> {
          var unused =
              task.get()
                  .whenComplete(
                      (value, error) -> {
                        end(name);
                        if (error == null) {
                          result.complete(value);
                        } else {
                          result.completeExceptionally(error);
                        }
                      });
        };
    synchronized (this) {
      var lane = lanes.computeIfAbsent(name, it -> new Lane());
      if (lane.running == atOnce) {
        lane.waiting.add(begin);
        return result;
      }
      lane.running++;
    }
    begin.run();
    return result;
  }

  private void end(String name) {
    Runnable next;
    synchronized (this) {
      var lane = lanes.get(name);
      next = lane.waiting.poll();
      if (next == null && --lane.running == 0) {
        lanes.remove(name);
      }
    }
    if (next != null) {
      next.run();
    }
  }
}
