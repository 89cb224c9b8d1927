package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.TunedGroup.Handed;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Region servers under load whose plan is wrong in one way after the other, and what tuning makes
 * of it: with four times as many clients as handlers whose reads go past the caches, with a client
 * of HBase's own defaults beside them that may not see one failure, and with Prometheus and
 * Alertmanager. The steps stand on each other, hence the order.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class TuningIT {
  private static final int HANDLERS = 10;
  private static final int ROWS = 100_000;
  private static final int REGIONS = 30;
  private static final String DASHBOARD =
      "charts/hbase-offheap-operator/dashboards/hbase-offheap.json";
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final String LEAK = "leak.jar";
  private static final String POOL = TunedGroup.POOL;

  /**
   * Where no request finds the pool empty, what is left on the heap are requests under {@code
   * minimal.allocate.size}: 0.000 % in one run and 0.003 % in another, as in the demo.
   */
  static final double SMALL_REQUESTS = 0.0001;

  private static final String HEAP_SHARE =
      "100 * sum(rate(observer_allocator_heap_bytes[30s]))"
          + " / (sum(rate(observer_allocator_heap_bytes[30s]))"
          + " + sum(rate(observer_allocator_pool_bytes[30s])))";
  private static final String TABLE = Pressure.TABLE;
  private static final String BUFFER = "BufferSmallerThanBlock";

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static Monitoring monitoring;
  private static long derivedCount;
  private static String smallCount;
  private static Instant startedAt;
  private static Pressure pressure;
  private static boolean isFinished;

  @BeforeAll
  static void clusterUnderLoad() {
    kubectl = new Kubectl(Shell.ofCluster(), "tuning");
    cluster = new RolloutCluster(kubectl);
    group = new TunedGroup(kubectl, cluster);
    monitoring = new Monitoring(kubectl);
    pressure = new Pressure(kubectl, cluster);
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
    derivedCount =
        await("a plan")
            .atMost(Duration.ofMinutes(2))
            .ignoreException(IllegalStateException.class)
            .until(() -> Long.parseLong(group.planned(TunedGroup.COUNT)), it -> it > 0);
    // As if it had been chosen for quieter times: what a person declares is not tuned.
    smallCount = Long.toString(derivedCount / 100);
    group.remember(Map.of(TunedGroup.COUNT, smallCount), POOL, "");
    cluster.awaitReady();
    monitoring.start();
    startedAt = Instant.now();
    cluster.client().verify("write", TABLE, ROWS, 1_000);
    // A tenth of RolloutIT's rate: the load that presses is the one beside it.
    cluster.startLoad(0, 300, REGIONS);
    press("pressure", TABLE, ROWS, 1_000);
  }

  @AfterAll
  static void leaveNoCluster() {
    if (cluster == null) {
      return;
    }
    if (isFinished) {
      cluster.remove();
    } else {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "rollout", "-o", "jsonpath={.status.conditions}{.status.tuning}");
    }
  }

  @Test
  @Order(1)
  void oneChangeCorrectsPoolAHundredTimesTooSmall() throws InterruptedException {
    group.awaitRunning(TunedGroup.COUNT, smallCount);
    await("all targets")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(() -> assertThat(monitoring.query("up == 1")).hasSize(5));
    var without = group.handedOut(WINDOW);
    show("with " + smallCount + " buffers", without);
    assertThat(share(without)).as("share of the heap").isGreaterThan(0.5);
    await("alert")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () ->
                monitoring
                    .firing()
                    .containsAll(
                        List.of("HBaseAllocatorHeapShareHigh", "HBaseAllocatorPoolExhausted")));
    await("webhook")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> monitoring.accepted() > 0);

    group.tune("Auto", POOL);

    group.awaitHistory("Applied " + POOL, "Kept " + POOL);
    var with = group.handedOut(WINDOW);
    show("with " + group.planned(TunedGroup.COUNT) + " buffers", with);
    group.status().path("history").forEach(System.out::println);
    System.out.println(
        monitoring.chart("Bytes that missed the pool", "percent", HEAP_SHARE, startedAt));
    assertThat(with.missed()).as("requests that found the pool empty").isZero();
    assertThat(share(with)).as("share of the heap").isLessThan(SMALL_REQUESTS);
    assertThat(group.status().path("trials").asInt()).isEqualTo(1);
    await("no alert")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> !monitoring.firing().contains("HBaseAllocatorPoolExhausted"));
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(2)
  void everyPanelOfTheDashboardHasData() throws IOException {
    var dashboard = RolloutCluster.parse(Files.readString(Shell.root().resolve(DASHBOARD)));
    assertThat(dashboard.path("panels"))
        .filteredOn(panel -> !panel.path("type").asText().equals("row"))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            panel ->
                assertThat(panel.path("targets"))
                    .as(panel.path("title").asText())
                    .anyMatch(target -> !data(target.path("expr").asText()).isEmpty()));
  }

  private static JsonNode data(String expression) {
    return monitoring.query(
        expression
            .replace("$namespace", kubectl.namespace())
            .replace("$cluster", cluster.name())
            .replace("$pod", ".+"));
  }

  @Test
  @Order(3)
  void aBadChangeIsRolledBackByItsCanary() {
    group.tune("Disabled");
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
    group.tune("Auto", POOL);
    var before = cluster.pods("regionserver");
    var bad = Map.of(TunedGroup.COUNT, smallCount);

    group.remember(bad, POOL, TunedGroup.trial(POOL, bad));

    var ran = new HashSet<String>();
    var entry =
        await("rolled back")
            .atMost(TunedGroup.ROLLOUT_WITHIN)
            .pollInterval(Duration.ofSeconds(2))
            .ignoreException(IllegalStateException.class)
            .until(
                () -> {
                  cluster
                      .pods("regionserver")
                      .forEach(
                          (name, pod) -> {
                            if (!pod.uid().equals(before.get(name).uid())) {
                              ran.add(name);
                            }
                          });
                  return group.lastEntry();
                },
                it -> it.path("event").asText().equals("RolledBack"));
    System.out.printf("a pool of %s: %s%n", bad, entry);
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
    assertThat(group.status().path("values")).isEmpty();
    assertThat(ran).as("servers that were restarted").containsExactly(before.lastKey());
    assertThat(entry.path("reason").asText()).contains("CanaryWorse");
    assertThat(entry.path("evidence").toString()).contains("heap share of allocated bytes");
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(4)
  void cellsThatDoNotFitTheBufferMakeItLarger() throws InterruptedException {
    group.tune("Disabled");
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
    pressure.end();
    cluster.client().verify("write", "large", ROWS / 10, 4_000);
    press("large", "large", ROWS / 10, 4_000);
    var without = group.handedOut(WINDOW);
    show("with buffers of " + group.planned(TunedGroup.SIZE) + " bytes", without);
    assertThat(without.multiple()).as("blocks in several buffers").isPositive();

    group.tune("Auto", BUFFER);

    group.awaitHistory("Applied " + BUFFER, "Kept " + BUFFER);
    var with = group.handedOut(WINDOW);
    show("with buffers of " + group.planned(TunedGroup.SIZE) + " bytes", with);
    group.status().path("history").forEach(System.out::println);
    assertThat(with.multiple()).as("blocks in several buffers").isZero();
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(5)
  void aLeakEndsInTheSuspicion() {
    group.tune("Disabled");
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
    pressure.end();
    press("leaking", TABLE, ROWS, 1_000);
    group.tune("Auto", POOL);

    leak(TABLE);

    var condition =
        await("suspicion")
            .atMost(Duration.ofMinutes(40))
            .pollInterval(Duration.ofSeconds(5))
            .until(() -> kubectl.condition("rollout", "Tuned"), it -> it.contains("Suspected"));
    System.out.println(condition);
    group.status().path("history").forEach(System.out::println);
    assertThat(condition).contains("leaked");
    assertThat(group.status().path("trials").asInt()).isLessThanOrEqualTo(2);
    group.awaitRunning(TunedGroup.COUNT, Long.toString(derivedCount));
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(6)
  void noRequestFailedOnTheWay() {
    pressure.end();
    var report = cluster.load().finish(Duration.ofMinutes(5));
    System.out.printf("load: %s%n", report);
    assertThat(LoadPod.badOf(report)).isZero();
    isFinished = true;
  }

  /** Four times as many clients as handlers; every read goes past the caches. */
  private static void press(String name, String table, int rows, int valueBytes) {
    pressure.startReads(name, table, rows, valueBytes, 4 * HANDLERS);
  }

  /** Puts the fault of {@code BufferLeak} on a table. */
  private static void leak(String table) {
    var jar =
        group.servers().get(0).configuration().get("hbase.rootdir").replaceFirst("[^/]*$", LEAK);
    var client = cluster.client();
    client.copy("images/loadgen/target/hbase-loadgen-0.1.0-SNAPSHOT-" + LEAK, "/tmp/" + LEAK);
    client.java(
        "/tmp/" + LEAK,
        "io.offheap.hbase.loadgen.BufferLeak " + table + " /tmp/" + LEAK + " " + jar);
  }

  private static double share(Handed handed) {
    return handed.bytes().heapShare();
  }

  private static void show(String what, Handed handed) {
    System.out.printf(
        Locale.ROOT,
        "%s: pool %,d bytes, heap %,d bytes, heap share %s %%, %,d requests found no buffer, %,d"
            + " blocks took several%n",
        what,
        handed.bytes().pool(),
        handed.bytes().heap(),
        percent(share(handed)),
        handed.missed(),
        handed.multiple());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3f", 100 * share);
  }
}
