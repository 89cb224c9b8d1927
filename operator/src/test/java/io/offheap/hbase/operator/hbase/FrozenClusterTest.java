package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty clusters, one of which is frozen: how long the others' looks take before and meanwhile,
 * and the same with HBase's blocking client on as many threads as the asynchronous one has: one.
 */
class FrozenClusterTest {
  private static final int OTHERS = 19;
  private static final int ROUNDS = 12;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(300);

  @TempDir static Path folder;

  private static RealHBase serving;
  private static RealHBase frozen;

  @BeforeAll
  static void start() {
    serving = RealHBase.start(folder.resolve("serving"));
    frozen = RealHBase.start(folder.resolve("frozen"));
  }

  @AfterAll
  static void stop() {
    serving.close();
    frozen.close();
  }

  @Test
  void aFrozenClusterMakesNoOtherSlower() throws Exception {
    try (var clusters = new ControlledClusters(8)) {
      var others =
          IntStream.range(0, OTHERS)
              .mapToObj(i -> clusters.add("other-" + i, List.of(serving.regionServer())))
              .toList();
      var ill = clusters.add("ill", List.of(frozen.regionServer()));
      clusters.roll(ill, Set.of("localhost"));
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  clusters.view(ill).isPresent()
                      && others.stream().allMatch(it -> clusters.view(it).isPresent()));
      try (var blocking = new BlockingClusters()) {
        rounds(clusters, ill, others);
        var asyncBefore = rounds(clusters, ill, others);
        blocking.round();
        var blockingBefore = blocking.round();

        frozen.freeze();
        var since = Instant.now();
        var asyncMeanwhile = rounds(clusters, ill, others);
        assertThat(clusters.view(ill).orElseThrow().asked()).isBefore(since);
        var blockingMeanwhile = blocking.round();

        System.out.printf(
            "Looks at %d clusters, median in ms before and while another is frozen:"
                + " asynchronous %.1f, %.1f; blocking %.1f, %.1f%n",
            OTHERS, asyncBefore, asyncMeanwhile, blockingBefore, blockingMeanwhile);
        assertThat(asyncMeanwhile).isLessThan(1.5 * asyncBefore + 20);
        assertThat(blockingMeanwhile).isGreaterThan(10 * blockingBefore);
      }
    } finally {
      frozen.thaw();
    }
  }

  /** Median of the milliseconds until each of the others is seen anew, in several rounds. */
  private static double rounds(
      ControlledClusters clusters, ResourceID ill, List<ResourceID> others) {
    var millis = new ArrayList<Double>();
    for (int round = 0; round < ROUNDS; round++) {
      await().pollDelay(BETWEEN_ROUNDS).until(() -> true);
      clusters.control().send(ill, List.of(new SwitchBalancer(true)));
      clusters.control().askSoon(ill);
      var began = Instant.now();
      long nanos = System.nanoTime();
      others.forEach(clusters.control()::askSoon);
      Map<ResourceID, Double> seen = new HashMap<>();
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                for (ResourceID it : others) {
                  if (!clusters.view(it).orElseThrow().asked().isBefore(began)) {
                    seen.putIfAbsent(it, (System.nanoTime() - nanos) / 1e6);
                  }
                }
                return seen.size() == OTHERS;
              });
      millis.addAll(seen.values());
    }
    return median(millis);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** The same with a connection of the blocking client for each. */
  private static final class BlockingClusters implements AutoCloseable {
    private final List<Connection> connections = new ArrayList<>();

    BlockingClusters() throws IOException {
      connections.add(connect(frozen));
      for (int i = 0; i < OTHERS; i++) {
        connections.add(connect(serving));
      }
    }

    private static Connection connect(RealHBase hbase) throws IOException {
      return ConnectionFactory.createConnection(
          ClientSettings.of(List.of(hbase.regionServer())), ClientSettings.user());
    }

    /** Median of the milliseconds until each but the first is seen, all being asked for at once. */
    double round() throws Exception {
      var millis = new ArrayList<Double>();
      var thread = Executors.newSingleThreadExecutor();
      try {
        long nanos = System.nanoTime();
        var looks =
            connections.stream()
                .map(
                    connection ->
                        thread.submit(
                            () -> {
                              look(connection);
                              return (System.nanoTime() - nanos) / 1e6;
                            }))
                .toList();
        for (var look : looks) {
          millis.add(look.get());
        }
      } finally {
        thread.shutdownNow();
      }
      return median(millis.subList(1, millis.size()));
    }

    private static void look(Connection connection) {
      try (Admin admin = connection.getAdmin()) {
        admin.isBalancerEnabled();
        admin.isNormalizerEnabled();
        admin.listDecommissionedRegionServers();
        admin.getClusterMetrics(ViewReader.options());
        admin.getProcedures();
      } catch (IOException unanswered) {
        // As of the frozen one.
      }
    }

    @Override
    public void close() throws IOException {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }
}
