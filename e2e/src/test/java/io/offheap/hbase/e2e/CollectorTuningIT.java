package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.e2e.measure.GcLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tuning of a small heap with the faults of the Xiaomi talk: region servers under writes whose
 * collector begins to mark long before there is garbage, with a very small young generation. It
 * runs only if it is selected by its name, as by {@code make e2e SUITE=collector}: it takes 45 min.
 */
@EnabledIfSystemProperty(named = "it.test", matches = ".*CollectorTuningIT.*")
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class CollectorTuningIT {
  private static final int ROWS = 100_000;
  private static final String IHOP = "InitiatingHeapOccupancyPercent";
  private static final String NEW_SIZE = "G1NewSizePercent";
  private static final String MARKING = "MarkingTooEarlyOrLate";
  private static final String[] RULES = {
    MARKING, "MixedTooLong", "PrematurePromotion", "MixedBackToBack"
  };
  private static final Duration WINDOW = Duration.ofMinutes(3);

  private static final String MEMSTORES = "hbase.regionserver.global.memstore.size";
  private static final int HEAP_MIB = 768;

  /** What is charted, by title. */
  private static final Map<String, String> CHARTS =
      new TreeMap<>(
          Map.of(
              "Old generation after a collection (MiB, mean of both servers)",
              "avg(observer_old_after_gc_bytes) / 1048576",
              "Starts of marking (a minute and server)",
              "60 * avg(rate(observer_gc_concurrent_start_count[2m]))",
              "Mixed collections (a minute and server)",
              "60 * avg(rate(observer_gc_mixed_count[2m]))",
              "Collections that promote early (percent)",
              "100 * avg(rate(observer_survivor_overflow_count[2m])) / avg(%s)"
                  .formatted(
                      rates("count", "normal", "concurrent_start", "prepare_mixed", "mixed")),
              "Time in collections (percent, mean of both servers)",
              "avg(%s) / 1e4"
                  .formatted(
                      rates(
                          "pause_micros",
                          "normal",
                          "concurrent_start",
                          "prepare_mixed",
                          "mixed",
                          "concurrent_cycle"))));

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static Pressure pressure;
  private static Monitoring monitoring;
  private static boolean isFinished;

  /** A counter of several kinds of collections, added up. */
  private static String rates(String counter, String... kinds) {
    return Stream.of(kinds)
        .map(kind -> "rate(observer_gc_%s_%s[2m])".formatted(kind, counter))
        .collect(Collectors.joining(" + "));
  }

  @BeforeAll
  static void clusterUnderWrites() {
    kubectl = new Kubectl(Shell.ofCluster(), "collector");
    cluster = new RolloutCluster(kubectl);
    group = new TunedGroup(kubectl, cluster);
    pressure = new Pressure(kubectl, cluster);
    monitoring = new Monitoring(kubectl);
    cluster.makeNamespace();
    // Canaries are TuningIT's; servers that share two cores collect too differently for one.
    cluster.apply(
        """
        {"spec": {
          "tuning": {"mode": "Recommend", "window": "%ds", "coolDown": "1s", "changesPerDay": 20},
          "rollout": {"canary": {"enabled": false}},
          "regionServers": {"replicas": 2, "hfile": {"cellSize": 1100},
                            "memory": {"heap": "%dMi", "offHeap": "256Mi"}}}}
        """
            .formatted(WINDOW.toSeconds(), HEAP_MIB));
    await("a plan")
        .atMost(Duration.ofMinutes(2))
        .ignoreException(IllegalStateException.class)
        .until(() -> !group.planned(IHOP).isEmpty());
    group.tune("Recommend", RULES);
    // As if it had been chosen for less to keep: what a person declares is not tuned.
    group.remember(Map.of(IHOP, "12", NEW_SIZE, "1"), MARKING, "");
    cluster.awaitReady();
    monitoring.start();
    cluster.client().verify("write", "offheap_verification", ROWS, 1_000);
    cluster.startLoad(0, 100, 30);
    pressure.start(
        "writes",
        "--rows=" + ROWS,
        "--value-size=1000",
        "--connections=2",
        "--writers=8",
        "--put-rows=500",
        "--scanners=0",
        "--getters=0",
        "--pause-millis=500");
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
  void findsStepsOfTalkOneAfterTheOther() throws InterruptedException {
    group.awaitQuiet("marking from early on");
    var startedAt = Instant.now();
    awaitFullMemstores();
    var before = collect("before");

    group.tune("Auto", RULES);

    // A change may have its effects, and make the next one necessary, only when the heap fills
    // again.
    await("nothing more to change")
        .atMost(Duration.ofMinutes(75))
        .during(WINDOW.multipliedBy(2))
        .pollInterval(Duration.ofSeconds(5))
        .ignoreException(IllegalStateException.class)
        .until(
            () -> {
              // Those of rules that are not proven, which this is to prove.
              var recommendation = group.recommendation();
              if (recommendation.has("id")) {
                group.approve(recommendation);
              }
              return group.status().path("reason").asText();
            },
            it -> it.equals("Watching"));
    group.status().path("history").forEach(System.out::println);
    var after = collect("after");
    CHARTS.forEach(
        (title, expression) ->
            System.out.println(monitoring.chart(title, "", expression, startedAt)));
    // A change is rolled back where the heap filled meanwhile, and is tried again.
    assertThat(group.history())
        .filteredOn(it -> it.startsWith("Kept "))
        .startsWith("Kept " + MARKING);
    assertThat(Integer.parseInt(group.planned(IHOP))).isGreaterThan(12);
    assertThat(markings(after)).as("starts of marking").isLessThan(markings(before));
  }

  /**
   * Waits until the servers have flushed as much as all their memstores may hold: the metrics
   * before the changes would otherwise be those of an emptier heap.
   */
  private static void awaitFullMemstores() {
    double share = Double.parseDouble(group.planned(MEMSTORES));
    double memstores = group.servers().size() * share * HEAP_MIB * (1 << 20);
    long before = flushedBytes();
    await("memstores were full")
        .atMost(Duration.ofMinutes(20))
        .pollInterval(Duration.ofSeconds(5))
        .until(() -> flushedBytes() - before >= memstores);
  }

  private static long flushedBytes() {
    return group.servers().stream().mapToLong(RegionServerPod::flushedBytes).sum();
  }

  /** What the observers count over a window, and the servers' logs of it. */
  private static List<GcLog> collect(String when) throws InterruptedException {
    var counted = group.collections(WINDOW);
    System.out.printf("%s, both servers in %d s: %s%n", when, WINDOW.toSeconds(), counted);
    var logs =
        cluster.pods("regionserver").keySet().stream()
            .map(pod -> kubectl.output("logs", pod, "--since=" + WINDOW.toSeconds() + "s"))
            .map(log -> GcLog.of(log.lines()))
            .toList();
    logs.forEach(
        it ->
            System.out.printf(
                "%s, log of one: %s, mean gap between mixed ones in milliseconds: %s%n",
                when, it.counts(), it.meanMixedGapMillis()));
    return logs;
  }

  private static long markings(List<GcLog> logs) {
    return logs.stream()
        .mapToLong(it -> it.counts().getOrDefault("Young (Concurrent Start)", 0))
        .sum();
  }

  @Test
  @Order(2)
  void noRequestFailedOnTheWay() {
    pressure.end();
    var report = cluster.load().finish(Duration.ofMinutes(5));
    System.out.printf("load: %s%n", report);
    assertThat(LoadPod.badOf(report)).isZero();
    isFinished = true;
  }
}
