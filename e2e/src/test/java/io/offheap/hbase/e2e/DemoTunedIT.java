package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The change is kept because it helped. Then the load that ran through the rollouts ends: no
 * operation failed, and every row is there.
 */
@Order(6)
@TestMethodOrder(OrderAnnotation.class)
class DemoTunedIT {
  private static final Duration MEASURED = Duration.ofSeconds(15);

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static TunedGroup group;

  @BeforeAll
  static void demoThatIsTuned() {
    kubectl = new Kubectl(Shell.ofCluster(), "default");
    cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    group = new TunedGroup(kubectl, cluster);
  }

  /** Others need the memory that it takes. */
  @AfterAll
  static void removeTheCluster() {
    kubectl.output(
        "delete",
        "hbc/demo",
        "pod/demo-client",
        "pod/demo-load",
        "pod/" + DemoRecommendationIT.PRESSURE,
        "--ignore-not-found",
        "--wait=false");
  }

  @Test
  @Order(1)
  void theChangeHelpedAndIsKept() throws InterruptedException {
    assertThat(group.history()).startsWith("Applied " + TunedGroup.POOL);
    group.awaitHistory("Applied " + TunedGroup.POOL, "Kept " + TunedGroup.POOL);
    group.status().path("history").forEach(System.out::println);

    var handedOut = group.handedOut(MEASURED);
    System.out.println(handedOut);
    assertThat(handedOut.missed()).as("requests that found the pool empty").isZero();
    assertThat(handedOut.bytes().heapShare()).as("heap share").isLessThan(TuningIT.SMALL_REQUESTS);
  }

  @Test
  @Order(2)
  void noOperationFailedAndEveryRowIsThere() {
    new Pressure(kubectl, cluster).end(DemoRecommendationIT.PRESSURE);

    var report = cluster.load().finish(Duration.ofMinutes(2));

    System.out.printf("load: %s%n", report);
    assertThat(LoadPod.badOf(report)).as("remarks: %s", cluster.load().remarks()).isZero();
    assertThat(report.path("operations").asLong()).isGreaterThan(30_000);
    assertThat(report.path("rows").asLong()).isGreaterThan(5_000);
    cluster.assertNoServerCrashed();
  }
}
