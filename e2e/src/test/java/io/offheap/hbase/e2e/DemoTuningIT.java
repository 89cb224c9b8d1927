package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The recommended change is approved and rolled out under the same pressure, canary first. */
@Order(5)
class DemoTuningIT {
  @Test
  void theApprovedChangeIsRolledOutCanaryFirst() {
    var kubectl = new Kubectl(Shell.ofCluster(), "default");
    var cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    var group = new TunedGroup(kubectl, cluster);
    var recommendation = group.recommendation();
    var wanted = recommendation.path("values").path(TunedGroup.COUNT).asText();
    var before = cluster.pods("regionserver");
    var started = Instant.now();

    group.approve(recommendation);

    var restarted =
        cluster.awaitRollout(
            "the change on both servers", started, Duration.ofMinutes(5), resource -> {});
    restarted.forEach(System.out::println);
    new RolloutAssertions(kubectl, cluster).assertRestartedOnce(restarted, before);
    assertThat(group.running(TunedGroup.COUNT).values()).containsOnly(wanted);
    assertThat(group.history()).containsExactly("Applied " + TunedGroup.POOL);
    cluster.load().assertNoneBad();
  }
}
