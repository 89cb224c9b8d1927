package org.apache.hadoop.hbase.util;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdLockTest {
  private static final long ID = 7;

  private final IdLock lock = new IdLock();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  /** What release leaves behind until the thread that waits has got the processor. */
  @FailsOnStock
  @Test
  void whoComesBetweenReleaseAndWakingTakesTheLockWithoutSpinning() throws Exception {
    var entry = lock.getLockEntry(ID);
    set(entry, "numWaiters", 1);
    set(entry, "locked", false);
    Future<Boolean> taken = threads.submit(() -> lock.getLockEntry(ID) == entry);
    try {
      assertThat(taken).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
    } finally {
      // Takes the entry out of the map, which is what ends the spinning.
      set(entry, "numWaiters", 0);
      lock.releaseLockEntry(entry);
    }
  }

  private static void set(IdLock.Entry entry, String field, Object value)
      throws ReflectiveOperationException {
    Field of = IdLock.Entry.class.getDeclaredField(field);
    of.setAccessible(true);
    of.set(entry, value);
  }

  @Test
  void excludesAndForgetsUnderChurn() throws Exception {
    int[] inside = new int[4];
    var entered = new AtomicInteger();
    Callable<Void> work =
        () -> {
          for (int i = 0; i < 20_000; i++) {
            int id = i % inside.length;
            var entry = i % 5 == 0 ? lock.tryLockEntry(id, 1) : lock.getLockEntry(id);
            if (entry == null) {
              continue;
            }
            try {
              assertThat(++inside[id]).isEqualTo(1);
              entered.incrementAndGet();
              --inside[id];
            } finally {
              lock.releaseLockEntry(entry);
            }
          }
          return null;
        };
    for (var done : threads.invokeAll(Collections.nCopies(8, work))) {
      done.get(60, TimeUnit.SECONDS);
    }
    assertThat(entered.get()).isGreaterThan(100_000);
    for (int id = 0; id < inside.length; id++) {
      assertThat(lock.isHeldByCurrentThread(id)).isFalse();
    }
    lock.assertMapEmpty();
  }
}
