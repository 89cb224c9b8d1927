package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.RolloutCluster.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A changed size reaches the demo's region servers while the client of {@link DemoLoadIT} writes
 * and reads, and the operator's page shows it in a browser. The plan that is rolled out has a pool
 * that {@link DemoRecommendationIT} finds too small.
 */
@Order(3)
class DemoRolloutIT {
  /** How many times too few buffers: six remain, of which one request takes 25. */
  private static final int SMALLER = 300;

  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(5);

  private static Shell shell;
  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static JsonNode stateBefore;

  @BeforeAll
  static void demoUnderLoad() {
    shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    group = new TunedGroup(kubectl, cluster);
    stateBefore = cluster.state();
    assertThat(stateBefore.path("balancer").asBoolean()).as("balancer").isTrue();
    assertThat(stateBefore.path("liveServers")).hasSize(2);
  }

  @Test
  void changedMemoryRestartsEachRegionServerOnceCanaryFirst() {
    var before = cluster.pods("regionserver");
    var masters = RolloutAssertions.uids(cluster.pods("master"));
    var canaries = new HashSet<String>();
    var serving = new HashSet<Long>();
    var page = new AtomicReference<String>();
    // As if it had been chosen for quieter times: what a person declares is not tuned. Both changes
    // are there before the first server restarts.
    var smallPool = Long.toString(Long.parseLong(group.planned(TunedGroup.COUNT)) / SMALLER);
    cluster.patch(
        """
        {"spec": {"rollout": {"paused": true},
                  "tuning": {"mode": "Recommend", "window": "50s", "warmUp": "10s",
                             "coolDown": "1s", "shrinkBucketCache": true}}}
        """);
    group.remember(Map.of(TunedGroup.COUNT, smallPool), "PoolTooSmall", "");
    var started = Instant.now();
    cluster.patch(
        """
        {"spec": {"rollout": {"paused": false},
                  "regionServers": {"memory": {"offHeap": "480Mi"}}}}
        """);

    var restarted =
        cluster.awaitRollout(
            "both region servers restarted",
            started,
            ROLLOUT_WITHIN,
            resource -> {
              var canary = resource.path("status").path("rollout").path("canary").path("pod");
              if (canary.isTextual()) {
                canaries.add(canary.asText());
              }
              if (page.get() == null && resource.at("/status/rollout/finished").size() == 1) {
                page.set(shell.output("e2e/bin/visit", "default", DemoCluster.NAME));
              }
              serving.add(
                  cluster.pods("regionserver").values().stream().filter(Pod::isReady).count());
            });

    restarted.forEach(System.out::println);
    assertThat(page.get())
        .as("the operator's page in a browser, after the first restart")
        .contains(
            "1 of 2 region servers restarted",
            "Restarts of this rollout",
            "demo-regionserver-0",
            "hbase.bucketcache.size")
        .doesNotContain("No rollout is under way");
    var restarts = new RolloutAssertions(kubectl, cluster);
    restarts.assertRestartedOnce(restarted, before);
    RolloutAssertions.assertNotMuchSlowerThanItsOwnStart(restarted);
    assertThat(canaries).as("canary").containsExactly(restarted.get(0).pod());
    assertThat(serving).as("numbers of region servers that served").isSubsetOf(Set.of(1L, 2L));
    assertThat(RolloutAssertions.uids(cluster.pods("master"))).isEqualTo(masters);
    restarts.assertRunWith("-XX:MaxDirectMemorySize=480m");
    assertThat(group.running(TunedGroup.COUNT).values()).containsOnly(smallPool);
    cluster.assertNoServerCrashed();
    cluster.assertLeftAsFound(stateBefore);
    cluster.load().assertNoneBad();
  }
}
