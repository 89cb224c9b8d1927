package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.e2e.RegionServerPod.AllocatedBytes;
import io.offheap.hbase.e2e.TunedGroup.Handed;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Region servers with four times as many clients as handlers whose reads go past the caches, and a
 * client of HBase's own defaults beside them that may not see one failure.
 *
 * @param kubectl kubectl in its namespace
 * @param cluster the cluster
 * @param group its region servers
 * @param pressure the clients
 * @param derivedCount buffers of the pool, as planned
 */
record PressedCluster(
    Kubectl kubectl,
    RolloutCluster cluster,
    TunedGroup group,
    Pressure pressure,
    long derivedCount) {
  static final int ROWS = 100_000;
  static final Duration WINDOW = Duration.ofSeconds(60);
  private static final int HANDLERS = 10;
  private static final int REGIONS = 30;

  /** Applies the resource in a new namespace, and waits until its memory is planned. */
  static PressedCluster make(String namespace) {
    var kubectl = new Kubectl(Shell.ofCluster(), namespace);
    var cluster = new RolloutCluster(kubectl);
    var group = new TunedGroup(kubectl, cluster);
    cluster.makeNamespace();
    cluster.apply(
        """
        {"spec": {
          "tuning": {"mode": "Recommend", "window": "%ds", "coolDown": "1s", "changesPerDay": 20,
                     "shrinkBucketCache": true},
          "rollout": {"canary": {"window": "30s"}},
          "regionServers": {"replicas": 2, "handlers": %d, "hfile": {"cellSize": 1100},
                            "memory": {"heap": "768Mi", "offHeap": "320Mi"}}}}
        """
            .formatted(WINDOW.toSeconds(), HANDLERS));
    var count =
        await("a plan")
            .atMost(Duration.ofMinutes(2))
            .ignoreException(IllegalStateException.class)
            .until(() -> Long.parseLong(group.planned(TunedGroup.COUNT)), it -> it > 0);
    return new PressedCluster(kubectl, cluster, group, new Pressure(kubectl, cluster), count);
  }

  /** Values that tuning is to have chosen: what a person declares is not tuned. */
  void remember(String count) {
    group.remember(Map.of(TunedGroup.COUNT, count), TunedGroup.POOL, "");
  }

  /** Starts the client that verifies what it reads. */
  void startLoad() {
    // A tenth of RolloutIT's rate: the load that presses is the one beside it.
    cluster.startLoad(0, 300, REGIONS);
  }

  /** Writes a table and starts the clients that press. */
  void press(String name, String table, int rows, int valueBytes) {
    cluster.client().verify("write", table, rows, valueBytes);
    pressure.startReads(name, table, rows, valueBytes, 4 * HANDLERS);
  }

  /** Every server runs with the planned number of buffers, and tuning is off. */
  void awaitPlanned() {
    group.tune("Disabled");
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
  }

  /** The end of the last step: no request has failed. */
  void finish() {
    pressure.end();
    var report = cluster.load().finish(Duration.ofMinutes(5));
    System.out.printf("load: %s%n", report);
    assertThat(LoadPod.badOf(report)).isZero();
  }

  /** Frees the machine, or shows where it failed. */
  void end(boolean isFinished) {
    if (isFinished) {
      cluster.remove();
    } else {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "rollout", "-o", "jsonpath={.status.conditions}{.status.tuning}");
    }
  }

  static double share(Handed handed) {
    return handed.bytes().heapShare();
  }

  static void show(String what, Handed handed) {
    AllocatedBytes bytes = handed.bytes();
    System.out.printf(
        Locale.ROOT,
        "%s: pool %,d bytes, heap %,d bytes, heap share %.3f %%, %,d requests found no buffer, %,d"
            + " blocks took several%n",
        what,
        bytes.pool(),
        bytes.heap(),
        100 * share(handed),
        handed.missed(),
        handed.multiple());
  }
}
