package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What a person does with the demo's cluster once it serves: a second cluster on its HDFS, a group
 * with its blocks in a file, tables with larger blocks, deletion. The steps stand on each other,
 * hence the order.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class DemoDayTwoIT {
  private static final int ROWS = 100_000;
  private static final Duration RESTARTS_WITHIN = Duration.ofMinutes(10);

  private static Shell shell;
  private static Kubectl kubectl;
  private static DemoCluster demo;
  private static DemoWay way;

  @BeforeAll
  static void clusterThatServes() {
    shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    demo = new DemoCluster(kubectl);
    way = new DemoWay(shell, ROWS, System.out);
    way.apply();
    way.awaitReady();
    assertThat(way.verify("write", ROWS, "demo").path("rowsWritten").asInt()).isEqualTo(ROWS);
  }

  /** The next suite needs the machine. */
  @AfterAll
  static void removeTheCluster() {
    kubectl.output("delete", "hbc/demo", "pod/demo-client", "--ignore-not-found", "--wait=false");
  }

  @Test
  @Order(1)
  void externalHdfsAndZooKeeperServeAClusterOfTheSameNameInAnotherNamespace() {
    var other = new Kubectl(shell, "other");
    var external = "e2e/src/test/resources/external";
    kubectl.output("create", "namespace", "other");
    other.output("apply", "-f", external + "/cluster.yaml");

    // Nothing is made on an HDFS that is not described.
    await("missing configuration")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(other.condition("demo", "Planned"))
                    .startsWith("False ConfigurationMissing")
                    .contains("there is no config map 'hdfs-client'"));
    other.output(
        "create",
        "configmap",
        "hdfs-client",
        "--from-file=" + external + "/core-site.xml",
        "--from-file=" + external + "/hdfs-site.xml");
    other.output("apply", "-f", "examples/client.yaml");
    await("second cluster")
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(
            () -> assertThat(other.condition("demo", "Ready")).startsWith("True AllServing"));
    other.output("wait", "--for=condition=Ready", "pod/demo-client", "--timeout=120s");

    var report = DemoWay.verify(other, "all", 10_000, "demo");
    DemoCluster.assertRowsRight(10_000, report);
    // It goes beside the next steps: Kubernetes waits by its region servers' grace period.
    kubectl.output("delete", "namespace", "other", "--wait=false");
    assertThat(kubectl.condition("demo", "Ready")).startsWith("True");
  }

  @Test
  @Order(2)
  void aGroupWithItsBlocksInAFileServesAsPlannedAndGoesAgain() {
    demo.patch(
        """
        {"spec": {"regionServerGroups": [{
          "name": "file", "replicas": 1, "memory": {"heap": "768Mi", "offHeap": "256Mi"},
          "blockCache": {"mode": "File", "file": {"storage": {"size": "1Gi"}}}}]}}
        """);

    await("a region server of the new group")
        .atMost(RESTARTS_WITHIN)
        // Before the operator has reconciled the group, there is no first one.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              assertThat(kubectl.jsonPath("hbc/demo", "{.status.groups[0].readyServers}"))
                  .isEqualTo("1");
              assertThat(kubectl.jsonPath("hbc/demo", "{.status.readyServers}")).isEqualTo("3");
            });
    var server = new RegionServerPod(kubectl, "demo-regionserver-file-0");
    assertThat(server.configuration())
        .containsEntry("hbase.bucketcache.ioengine", "file:/cache/bucket.cache")
        .containsEntry("hbase.bucketcache.size", "960");
    assertThat(server.arguments()).contains("-Xmx768m", "-XX:MaxDirectMemorySize=256m");
    assertThat(kubectl.output("exec", server.name(), "--", "ls", "/cache"))
        .contains("bucket.cache");
    assertAllRowsRight(way.verify("read", ROWS, "demo"));

    demo.patch("{\"spec\": {\"regionServerGroups\": null}}");

    await("the group is deleted")
        .atMost(Duration.ofMinutes(6))
        .untilAsserted(() -> assertThat(demo.pods()).doesNotContainKey("demo-regionserver-file-0"));
    assertAllRowsRight(way.verify("read", ROWS, "demo"));
  }

  @Test
  @Order(3)
  void tablesWithLargerBlocksGetBuffersThatHoldThem() {
    // What is declared would win over what the tables have.
    demo.patch("{\"spec\":{\"regionServers\":{\"hfile\":null}}}");
    verify("write", 2_000, "--value-size", "4000", "--block-size", "131072", "--table", "large");

    await("a plan for the live table")
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(bufferSize("value")).isEqualTo("136192");
              assertThat(bufferSize("reason")).contains("live table large/f");
              assertThat(kubectl.condition("demo", "TablesFit")).startsWith("True BlocksFit");
            });
    await("both region servers run it")
        .atMost(RESTARTS_WITHIN)
        .until(
            () ->
                servingRegionServers() == 2
                    && regionServerPlans().equals(List.of(planHash(), planHash())));
    assertThat(way.regionServers())
        .allSatisfy(
            server ->
                assertThat(server.configuration())
                    .containsEntry("hbase.server.allocator.buffer.size", "136192"));

    // Declared again, it wins, and the table that does not fit is named, whatever runs meanwhile.
    var running = demo.pods();
    demo.patch(
        """
        {"spec": {"rollout": {"paused": true},
                  "regionServers": {"hfile": {"blockSize": "64Ki", "cellSize": 1100}}}}
        """);

    await("the table named")
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              assertThat(kubectl.condition("demo", "TablesFit"))
                  .startsWith("False BlocksOverBuffer")
                  .contains("large/f");
              assertThat(kubectl.condition("demo", "Progressing")).contains("paused");
            });
    assertThat(demo.pods()).isEqualTo(running);
    verify("read", 2_000, "--value-size", "4000", "--table", "large");
  }

  private static void verify(String what, int rows, String... options) {
    var command = new ArrayList<>(List.of("exec", "demo-client", "--", "loadgen", "verify", what));
    command.addAll(List.of("--rows", Integer.toString(rows), "--keep"));
    command.addAll(List.of(options));
    kubectl.output(command.toArray(String[]::new));
  }

  private static String bufferSize(String field) {
    return kubectl.planned("demo", "hbase.server.allocator.buffer.size").path(field).asText();
  }

  @Test
  @Order(4)
  void deletionRemovesWhatWasMadeButVolumesAndANewClusterFindsItsData() {
    var volumes = names("pvc");
    assertThat(volumes).hasSize(3);

    kubectl.output("delete", "hbc", "demo", "--wait=false");

    await("everything but volumes and what is remembered is deleted")
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(
            () ->
                assertThat(
                        names(
                            "pods,statefulsets,services,configmaps,poddisruptionbudgets",
                            "-l",
                            "app.kubernetes.io/instance=demo,"
                                + "app.kubernetes.io/component!=remembered"))
                    .isEmpty());
    assertThat(names("pvc")).isEqualTo(volumes);

    way.apply();
    way.awaitReady();
    assertAllRowsRight(way.verify("read", ROWS, "demo"));
  }

  private static void assertAllRowsRight(JsonNode report) {
    DemoCluster.assertRowsRight(ROWS, report);
  }

  private static String planHash() {
    return kubectl.jsonPath("hbc/demo", "{.status.memoryPlan.hash}");
  }

  private static List<String> regionServerPlans() {
    return DemoCluster.lines(
        kubectl.jsonPath("hbc/demo", "{range .status.regionServers[*]}{.planHash}{\"\\n\"}{end}"));
  }

  private static int servingRegionServers() {
    var ready =
        demo.pods(
            "app.kubernetes.io/component=regionserver",
            "{range .items[*].status.conditions[?(@.type==\"Ready\")]}{.status}"
                + "{\"\\n\"}{end}");
    return (int) DemoCluster.lines(ready).stream().filter("True"::equals).count();
  }

  private static Set<String> names(String kinds, String... options) {
    var command = new ArrayList<>(List.of("get", kinds, "-o", "name", "--ignore-not-found"));
    command.addAll(List.of(options));
    return Set.copyOf(DemoCluster.lines(kubectl.output(command.toArray(String[]::new))));
  }
}
