package org.apache.hadoop.hbase.regionserver.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import io.offheap.hbase.patches.FilledNetty;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * A region server's log over a real HDFS, whose buffers find no memory: writes wait until there is
 * some, none fails, and none is lost with the server.
 */
class WalMemoryTest extends RegionServerLog {
  /** More than a chunk of Netty's pools. */
  private static final int LARGE = 6 << 20;

  /** A part of the entry is in the old log's buffer when there is no memory for the rest. */
  @FailsOnStock
  @Test
  void anEntryThatFindsNoMemoryIsInTheNextLog() throws Exception {
    var rolls = new AtomicInteger();
    wal.registerWALActionsListener(
        new WALActionsListener() {
          @Override
          public void postLogRoll(Path from, Path to) {
            rolls.incrementAndGet();
          }
        });
    assertThat(put("before", 10)).succeedsWithin(PATIENCE);
    CompletableFuture<Void> large;
    CompletableFuture<Void> behind;
    try (var filled = FilledNetty.butFor(64 << 10)) {
      large = put("large", 100, 1 << 20, LARGE);
      // Long enough for the log to have begun with the first entry; what it then waits for is
      // memory, so nothing shows when.
      Thread.sleep(500);
      behind = put("behind", 10);
      // It must not be done however long it waits, and a log that is made anew at each failure
      // would be made many times in this time.
      Thread.sleep(4_000);
      assertThat(large).isNotDone();
      // After 100, 200, 400, 800 and 1,600 ms, as far as there is memory for a new one.
      assertThat(rolls.get()).as("new logs").isLessThan(7);
    }
    assertThat(large).succeedsWithin(PATIENCE);
    assertThat(behind).succeedsWithin(PATIENCE);
    assertOnTheNextServer("large", 100, 1 << 20, LARGE);
    assertOnTheNextServer("behind", 10);
    assertOnTheNextServer("before", 10);
  }
}
