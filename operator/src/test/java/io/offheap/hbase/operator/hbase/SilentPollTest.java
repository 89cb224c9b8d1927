package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A source whose resource never responds. */
class SilentPollTest {
  private static final Duration PERIOD = Duration.ofMillis(50);

  /** By then the pause is 32 periods. */
  private static final int ROUNDS = 6;

  private static final class Silent extends PollingSource<String, HBaseCluster> {
    private final List<Long> polls = new CopyOnWriteArrayList<>();

    Silent(EventSourceContext<HBaseCluster> context) {
      super("silent", String.class, it -> it, context, PERIOD);
    }

    @Override
    CompletableFuture<Set<String>> poll(HBaseCluster cluster) {
      polls.add(System.nanoTime());
      silent(ResourceID.fromResource(cluster));
      return CompletableFuture.completedFuture(Set.of());
    }

    void awaitRounds(int rounds) {
      await("rounds").atMost(Duration.ofSeconds(60)).until(() -> polls.size() >= rounds);
    }

    long millisAfter(int round) {
      return (polls.get(round + 1) - polls.get(round)) / 1_000_000;
    }
  }

  @Test
  @Slow
  void pollsLessOftenUntilResourceChanges() {
    try (var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var source = new Silent(clusters.context());
      source.setEventHandler(event -> {});
      source.start();
      var cluster = clusters.resource(clusters.add("demo", List.of()));
      source.onResourceCreated(cluster);

      source.awaitRounds(ROUNDS);
      for (int round = 0; round + 1 < ROUNDS; round++) {
        assertThat(source.millisAfter(round))
            .isGreaterThanOrEqualTo((PERIOD.toMillis() << round) - 2);
      }

      source.onResourceUpdated(cluster, cluster);
      source.awaitRounds(ROUNDS + 2);
      assertThat(source.millisAfter(ROUNDS))
          .as("after the change")
          .isLessThan(PERIOD.toMillis() << ROUNDS);
      source.stop();
    }
  }

  @Test
  void rolloutIsUnderWayWhileStatusHasOne() {
    var cluster = new HBaseCluster();
    assertThat(HBaseControl.isRolloutUnderWay(cluster)).isFalse();
    cluster.setStatus(HBaseClusterStatus.empty());
    assertThat(HBaseControl.isRolloutUnderWay(cluster)).isFalse();
    var master = new RolloutStatus.Master("hb-master-0", "uid", null, null);
    cluster.setStatus(status(rollout(master, null)));
    assertThat(HBaseControl.isRolloutUnderWay(cluster)).isTrue();
    var canary =
        new RolloutStatus.Canary(
            "", "hb-regionserver-0", null, null, null, null, null, null, null, List.of());
    cluster.setStatus(status(rollout(null, canary)));
    assertThat(HBaseControl.isRolloutUnderWay(cluster)).isTrue();
  }

  private static RolloutStatus rollout(RolloutStatus.Master master, RolloutStatus.Canary canary) {
    return new RolloutStatus(null, null, null, null, null, master, canary, null, null, null);
  }

  private static HBaseClusterStatus status(RolloutStatus rollout) {
    return new HBaseClusterStatusBuilder().rollout(rollout).build();
  }
}
