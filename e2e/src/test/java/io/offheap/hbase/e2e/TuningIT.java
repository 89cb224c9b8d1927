package io.offheap.hbase.e2e;

import static io.offheap.hbase.e2e.PressedCluster.WINDOW;
import static io.offheap.hbase.e2e.PressedCluster.share;
import static io.offheap.hbase.e2e.PressedCluster.show;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A buffer pool that is too small, and what tuning makes of it, with Prometheus and Alertmanager.
 * {@link BufferTuningIT} has the other faults of the pool. The steps stand on each other, hence the
 * order.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class TuningIT {
  private static final String DASHBOARD =
      "charts/hbase-offheap-operator/dashboards/hbase-offheap.json";
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

  private static PressedCluster pressed;
  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static Monitoring monitoring;
  private static long derivedCount;
  private static String smallCount;
  private static Instant startedAt;
  private static boolean isFinished;

  @BeforeAll
  static void clusterUnderLoad() {
    pressed = PressedCluster.make("tuning");
    kubectl = pressed.kubectl();
    cluster = pressed.cluster();
    group = pressed.group();
    monitoring = new Monitoring(kubectl);
    derivedCount = pressed.derivedCount();
    // As if it had been chosen for quieter times.
    smallCount = Long.toString(derivedCount / 100);
    pressed.remember(smallCount);
    cluster.awaitReady();
    monitoring.start();
    startedAt = Instant.now();
    pressed.startLoad();
    pressed.press("pressure", Pressure.TABLE, PressedCluster.ROWS, 1_000);
  }

  @AfterAll
  static void leaveNoCluster() {
    if (pressed != null) {
      pressed.end(isFinished);
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
    pressed.awaitPlanned();
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
  void noRequestFailedOnTheWay() {
    pressed.finish();
    isFinished = true;
  }
}
