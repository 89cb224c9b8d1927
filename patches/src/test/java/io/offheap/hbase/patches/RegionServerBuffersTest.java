package io.offheap.hbase.patches;

import static io.offheap.hbase.patches.ExactCluster.PATIENCE;
import static io.offheap.hbase.patches.ExactCluster.REGIONS;
import static io.offheap.hbase.patches.ExactCluster.ROWS;
import static io.offheap.hbase.patches.ExactCluster.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Whatever is done to the servers of {@link ExactCluster}, every value is right, and afterwards
 * every buffer is back, none was touched after that, and no block is held.
 *
 * <p>{@code -Dgets} is the number of Gets of {@link #manyGets}, 50,000 by default. The clients that
 * vanish, the scans and the moves grow with it. {@code make e2e SUITE=million} has a million.
 */
@TestMethodOrder(MethodOrderer.MethodName.class)
class RegionServerBuffersTest {
  private static final int GETS = Integer.getInteger("gets", 50_000);
  private static final int THREADS = 4;

  private static final ExactCluster CLUSTER = new ExactCluster();
  private static final ExecutorService THREAD_POOL = Executors.newCachedThreadPool();

  @BeforeAll
  static void start() throws Exception {
    CLUSTER.start();
  }

  @AfterAll
  static void stop() throws Exception {
    THREAD_POOL.shutdownNow();
    CLUSTER.close();
    ExactAllocator.assertAllBack(PATIENCE);
    ExactAllocator.forgetAll();
  }

  @AfterEach
  void everythingIsBack() {
    CLUSTER.assertEverythingIsBack();
  }

  @Test
  void clientsThatVanish() throws Exception {
    var most = new AtomicLong();
    whileOthersRead(
        () -> {
          for (int client = 0; client < scaled(60, REGIONS); client++) {
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

  @Test
  void manyGets() throws Exception {
    long evictedBefore = CLUSTER.evictions();
    List<Future<?>> readers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int seed = thread;
      readers.add(
          THREAD_POOL.submit(
              () -> {
                var random = new Random(seed);
                for (int got = 0; got < GETS / THREADS; got += 100) {
                  CLUSTER.getSome(random, 100);
                }
                return null;
              }));
    }
    waitFor(readers);
    assertThat(CLUSTER.evictions() - evictedBefore).isGreaterThan(GETS / 1000L);
  }

  /** At least twice, so that each region comes back to a server that it was on. */
  @Test
  void regionsThatMove() throws Exception {
    whileOthersRead(
        () -> {
          var admin = CLUSTER.util.getAdmin();
          for (int round = 0; round < scaled(3, 2); round++) {
            for (var region : admin.getRegions(TABLE)) {
              var servers = new ArrayList<>(admin.getRegionServers());
              servers.remove(CLUSTER.locate(region.getStartKey()).getServerName());
              admin.move(region.getEncodedNameAsBytes(), servers.get(0));
            }
          }
        });
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
      everythingIsBack();
      left.forEach(ResultScanner::close);
    }
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
          CLUSTER.util.waitUntilAllRegionsAssigned(TABLE, PATIENCE.toMillis());
          CLUSTER.getAll();
        });
  }

  /** So many at a million Gets, fewer at fewer, and at least some at any. */
  private static int scaled(int atAMillion, int atLeast) {
    return Math.max(atLeast, (int) ((long) atAMillion * GETS / 1_000_000));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void whileOthersRead(Work action) throws Exception {
    var done = new AtomicBoolean();
    List<Future<?>> readers = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      int seed = thread;
      readers.add(
          THREAD_POOL.submit(
              () -> {
                var random = new Random(seed);
                while (!done.get()) {
                  CLUSTER.getSome(random, 50);
                  try (var table = CLUSTER.table();
                      var scanner = table.getScanner(ExactCluster.scan(random))) {
                    ExactCluster.read(scanner, 50);
                  }
                }
                return null;
              }));
    }
    try {
      action.run();
    } finally {
      done.set(true);
    }
    waitFor(readers);
  }

  private static void waitFor(List<Future<?>> futures)
      throws InterruptedException, ExecutionException {
    for (var future : futures) {
      future.get();
    }
  }
}
