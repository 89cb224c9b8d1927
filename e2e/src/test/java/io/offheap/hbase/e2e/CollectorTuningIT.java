package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The heap of the Xiaomi talk in small: region servers under writes whose collector begins to mark
 * long before there is garbage to find, with next to no young generation, and what tuning makes of
 * it. Only where it is asked for by its name, as by {@code make e2e SUITE=tuning}: it takes an
 * hour.
 */
@EnabledIfSystemProperty(named = "it.test", matches = ".*CollectorTuningIT.*")
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
  private static final Duration MEMSTORES_ARE_FULL = Duration.ofMinutes(4);

  /** What is charted of both servers, by title and unit. */
  private static final Map<String, String> CHARTS =
      Map.of(
          "Old generation after a collection, percent of the heap",
          "100 * avg(observer_old_after_gc_bytes) / 805306368",
          "Starts of marking a minute, each server",
          "60 * avg(rate(observer_gc_concurrent_start_count[2m]))",
          "Mixed collections a minute, each server",
          "60 * avg(rate(observer_gc_mixed_count[2m]))",
          "Time in collections, percent",
          "avg(sum by (instance) (rate({__name__=~\"observer_gc_.*_pause_micros\"}[2m]))) / 10000");

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static Pressure pressure;
  private static Monitoring monitoring;
  private static boolean isFinished;

  @BeforeAll
  static void clusterUnderWrites() {
    assertThat(Shell.plain().show("e2e/prepare")).as("status of e2e/prepare").isZero();
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
                            "memory": {"heap": "768Mi", "offHeap": "256Mi"}}}}
        """
            .formatted(WINDOW.toSeconds()));
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
    cluster.startLoad(0, 100);
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
  void theTalksStepsAreFoundOneAfterTheOther() throws InterruptedException {
    group.awaitQuiet("marking from early on");
    var startedAt = Instant.now();
    Thread.sleep(MEMSTORES_ARE_FULL.toMillis());
    var before = group.collections(WINDOW);
    System.out.printf("as it was: %s%n", before);

    group.tune("Auto", RULES);

    await("nothing more to change")
        .atMost(Duration.ofMinutes(60))
        .pollInterval(Duration.ofSeconds(5))
        .ignoreException(IllegalStateException.class)
        .until(
            () -> group.status().path("doing").asText(),
            it -> it.equals("finds nothing to change"));
    group.status().path("history").forEach(System.out::println);
    var after = group.collections(WINDOW);
    System.out.printf("as it is: %s%n", after);
    CHARTS.forEach(
        (title, expression) ->
            System.out.println(monitoring.chart(title, "", expression, startedAt)));
    assertThat(group.history().subList(0, 2))
        .isEqualTo(List.of("Applied " + MARKING, "Kept " + MARKING));
    assertThat(after.markings()).as("starts of marking").isLessThan(before.markings());
    assertThat(after.mixed()).as("mixed collections").isLessThan(before.mixed());
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
