package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Clients press on the demo's region servers, whose buffer pool is 300 times too small, and tuning
 * finds it: a recommendation with its evidence, and nothing that restarts.
 */
@Order(4)
class DemoRecommendationIT {
  static final String PRESSURE = "demo-pressure";
  private static final int ROWS = 20_000;

  /** A request of 50 rows takes more buffers than the pool has, so that a few are enough. */
  private static final int GETTERS = 10;

  /**
   * The smallest share of the heap that the rule acts on: {@code minimal.allocate.size} of a
   * buffer.
   */
  private static final double SYMPTOM = 1 / 6.0;

  private static final Duration MEASURED = Duration.ofSeconds(15);

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;

  @BeforeAll
  static void demoUnderPressure() {
    kubectl = new Kubectl(Shell.ofCluster(), "default");
    cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    group = new TunedGroup(kubectl, cluster);
    group.awaitQuiet("the rollout's end");
    group.tune("Recommend", TunedGroup.POOL);
    cluster.client().verify("write", Pressure.TABLE, ROWS, 1_000);
    new Pressure(kubectl, cluster).startReads(PRESSURE, Pressure.TABLE, ROWS, 1_000, GETTERS);
  }

  @Test
  void aPoolThatIsTooSmallIsRecommendedWithItsEvidence() throws InterruptedException {
    var before = RolloutAssertions.uids(cluster.pods("regionserver"));

    await("a request that finds the pool empty")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .until(() -> group.handedOut(Duration.ofSeconds(1)).missed() > 0);
    var handedOut = group.handedOut(MEASURED);
    System.out.println(handedOut);
    assertThat(handedOut.bytes().heapShare()).as("heap share").isGreaterThan(SYMPTOM);
    assertThat(handedOut.missed()).as("requests that found the pool empty").isPositive();

    var recommendation =
        await("recommendation")
            .atMost(Duration.ofMinutes(3))
            .pollInterval(Duration.ofSeconds(1))
            // A kubectl that failed under load.
            .ignoreException(IllegalStateException.class)
            .until(group::recommendation, it -> it.has("id"));
    System.out.println(recommendation);
    assertThat(recommendation.path("rule").asText()).isEqualTo(TunedGroup.POOL);
    assertThat(recommendation.path("evidence").toString()).contains("found the pool empty");
    assertThat(recommendation.path("values").path(TunedGroup.COUNT).asLong())
        .isGreaterThan(Long.parseLong(group.planned(TunedGroup.COUNT)));
    // A reconciliation without a full window reports that, and does not change the recommendation.
    await("condition")
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofSeconds(1))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () ->
                assertThat(kubectl.condition(DemoCluster.NAME, "Tuned"))
                    .startsWith("True Recommended")
                    .contains("waits for approval of " + recommendation.path("id").asText()));
    assertThat(RolloutAssertions.uids(cluster.pods("regionserver"))).isEqualTo(before);
    cluster.load().assertNoneBad();
  }
}
