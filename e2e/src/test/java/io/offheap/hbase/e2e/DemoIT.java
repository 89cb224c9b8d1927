package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The way of {@code make demo}, with fewer rows. The cluster stays for {@link DemoLoadIT} and those
 * after it: an HBase takes a minute to come up. The steps stand on each other, hence the order.
 */
@Order(1)
@TestMethodOrder(OrderAnnotation.class)
class DemoIT {
  private static final int ROWS = 20_000;

  /** Three times what it takes on two idle cores, for a machine that does other things as well. */
  private static final Duration FIRST_PUT_WITHIN = Duration.ofMinutes(4);

  private static Kubectl kubectl;
  private static DemoCluster demo;
  private static DemoWay way;

  @BeforeAll
  static void clusterWithTheOperator() {
    var shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    demo = new DemoCluster(kubectl);
    way = new DemoWay(shell, ROWS, System.out);
  }

  @Test
  @Order(1)
  void oneResourceBecomesAnHBaseThatServesAsPlanned() {
    var report = way.run();

    assertThat(report.firstPut()).as("kubectl apply to first put").isLessThan(FIRST_PUT_WITHIN);
    assertThat(report.written().path("rowsWritten").asInt()).isEqualTo(ROWS);
    DemoCluster.assertRowsRight(ROWS, report.read());
    assertThat(report.comparisons()).hasSizeGreaterThan(60).allMatch(Comparison::isEqual);
    assertThat(report.appliedPlanHash()).isEqualTo(report.plan().hash());
    assertThat(report.duringReads().pool()).as("bytes from the pool").isPositive();
    assertThat(report.duringReads().heapShare())
        .as("heap share of allocated bytes")
        .isLessThan(Demo.LARGEST_HEAP_SHARE);
    assertThat(Demo.failures(report)).isEmpty();
  }

  @Test
  @Order(2)
  void everyNodeHasItsOwnPodSubnetAndRegionServersAreSpread() {
    var subnets =
        DemoCluster.lines(
            kubectl.jsonPath("nodes", "{range .items[*]}{.spec.podCIDR}{\"\\n\"}{end}"));
    assertThat(subnets).hasSizeGreaterThanOrEqualTo(2).doesNotHaveDuplicates();
    var nodes =
        demo.pods(
            "app.kubernetes.io/component=regionserver",
            "{range .items[*]}{.spec.nodeName}{\"\\n\"}{end}");
    assertThat(DemoCluster.lines(nodes)).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  @Order(3)
  void impossiblePlanTouchesNothingThatRuns() {
    var before = demo.pods();

    demo.patch("{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"64Mi\"}}}}");

    await("refusal")
        .atMost(Duration.ofMinutes(2))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () ->
                assertThat(kubectl.condition("demo", "Planned"))
                    .startsWith("False PlanRefused")
                    .contains("spec.regionServers.memory.offHeap: 64Mi is too small"));
    assertThat(kubectl.condition("demo", "Ready")).startsWith("True");

    demo.patch("{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"512Mi\"}}}}");

    await("what runs declared again")
        .atMost(Duration.ofMinutes(2))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(() -> assertThat(kubectl.condition("demo", "Planned")).startsWith("True"));
    assertThat(demo.pods()).isEqualTo(before);
  }
}
