package io.offheap.hbase.patches;

import static io.offheap.hbase.patches.ExactCluster.GETS;
import static io.offheap.hbase.patches.ExactCluster.scaled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** However the servers of {@link ExactCluster} are read, every buffer comes back. */
class RegionServerReadsTest {
  private static final int THREADS = 4;

  @RegisterExtension private static final ExactCluster CLUSTER = new ExactCluster();

  @Test
  void manyGets() throws Exception {
    long evictedBefore = CLUSTER.evictions();
    var readers =
        CLUSTER.start(
            THREADS,
            random -> {
              for (int got = 0; got < GETS / THREADS; got += 100) {
                CLUSTER.getSome(random, 100);
              }
            });
    ExactCluster.awaitEnds(readers);
    assertThat(CLUSTER.evictions() - evictedBefore).isGreaterThan(GETS / 1000L);
  }

  @Test
  void scansThatAreClosedEarly() throws Exception {
    var random = new Random(1);
    try (var table = CLUSTER.table()) {
      for (int scan = 0; scan < scaled(300, 60); scan++) {
        try (var scanner = table.getScanner(ExactCluster.scan(random))) {
          ExactCluster.read(scanner, random.nextInt(200));
        }
      }
      List<ResultScanner> left = new ArrayList<>();
      for (int scan = 0; scan < 20; scan++) {
        var scanner = table.getScanner(ExactCluster.scan(random).setCaching(10));
        ExactCluster.read(scanner, 15);
        left.add(scanner);
      }
      assertThat(CLUSTER.blocksHeld() + ExactAllocator.allOut()).isPositive();
      // Their leases end; closing them then is of no interest to the servers any more.
      CLUSTER.assertEverythingIsBack();
      left.forEach(ResultScanner::close);
    }
  }
}
