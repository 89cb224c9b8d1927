package io.offheap.hbase.patches;

import static io.offheap.hbase.patches.ExactCluster.PATIENCE;
import static io.offheap.hbase.patches.ExactCluster.REGIONS;
import static io.offheap.hbase.patches.ExactCluster.ROWS;
import static io.offheap.hbase.patches.ExactCluster.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whatever is done to the servers of {@link ExactCluster} during reads, every value is correct and
 * every buffer comes back.
 */
@TestMethodOrder(MethodOrderer.MethodName.class)
class RegionServerBuffersTest {
  @RegisterExtension private static final ExactCluster CLUSTER = new ExactCluster();

  @Test
  void clientsThatVanish() throws Exception {
    var most = new AtomicLong();
    whileOthersRead(
        () -> {
          for (int client = 0; client < ExactCluster.scaled(60, REGIONS); client++) {
            var region = CLUSTER.locations().get(client % REGIONS);
            VanishingClient.vanish(region, new Random(client));
            most.accumulateAndGet(ExactAllocator.allOut(), Math::max);
          }
        });
    assertThat(most).hasPositiveValue();
  }

  @Test
  void compactionsWithCacheOnWrite() throws Exception {
    whileOthersRead(
        () -> {
          for (int round = 0; round < 3; round++) {
            CLUSTER.write(ROWS / 4);
            CLUSTER.util.flush(TABLE);
          }
          CLUSTER.util.compact(TABLE, false);
          CLUSTER.write(ROWS / 4);
          CLUSTER.util.flush(TABLE);
          CLUSTER.util.compact(TABLE, true);
        });
  }

  /** At least twice, so that each region comes back to a server that it was on. */
  @Test
  void regionsThatMove() throws Exception {
    whileOthersRead(
        () -> {
          var admin = CLUSTER.util.getAdmin();
          for (int round = 0; round < ExactCluster.scaled(3, 2); round++) {
            for (var region : admin.getRegions(TABLE)) {
              var servers = new ArrayList<>(admin.getRegionServers());
              servers.remove(CLUSTER.locate(region.getStartKey()).getServerName());
              admin.move(region.getEncodedNameAsBytes(), servers.get(0));
            }
          }
        });
  }

  /** Comes last by its name: from then on the first server is another one. */
  @Test
  void serversThatAbort() throws Exception {
    whileOthersRead(
        () -> {
          var cluster = CLUSTER.util.getMiniHBaseCluster();
          var server = cluster.getRegionServer(0);
          cluster.startRegionServer();
          server.abort("says the test");
          await().atMost(PATIENCE).until(() -> !server.isAlive());
          CLUSTER.util.waitUntilAllRegionsAssigned(TABLE, 3 * PATIENCE.toMillis());
          CLUSTER.getAll();
        });
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void whileOthersRead(Work action) throws Exception {
    var done = new AtomicBoolean();
    var readers =
        CLUSTER.start(
            2,
            random -> {
              while (!done.get()) {
                CLUSTER.getSome(random, 50);
                try (var table = CLUSTER.table();
                    var scanner = table.getScanner(ExactCluster.scan(random))) {
                  ExactCluster.read(scanner, 50);
                }
              }
            });
    try {
      action.run();
    } finally {
      done.set(true);
    }
    ExactCluster.awaitEnds(readers);
  }
}
