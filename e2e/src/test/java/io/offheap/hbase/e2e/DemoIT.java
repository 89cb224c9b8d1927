package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The way of {@code make demo}, and what a person does next with the cluster that it leaves. The
 * steps stand on each other, hence the order: an HBase takes more than a minute to come up.
 */
@TestMethodOrder(OrderAnnotation.class)
class DemoIT {
  private static final int ROWS = 100_000;
  private static final Duration RESTARTS_WITHIN = Duration.ofMinutes(10);
  private static final Duration FIRST_PUT_WITHIN = Duration.ofMinutes(2);

  private static Shell shell;
  private static Kubectl kubectl;
  private static DemoWay way;

  @BeforeAll
  static void clusterWithTheOperator() {
    assertThat(Shell.plain().show("e2e/prepare")).as("status of e2e/prepare").isZero();
    shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    way = new DemoWay(shell, System.out);
  }

  /** The next suite needs the machine. */
  @AfterAll
  static void removeTheCluster() {
    kubectl.output("delete", "hbc/demo", "pod/demo-client", "--ignore-not-found", "--wait=false");
  }

  @Test
  @Order(1)
  void oneResourceBecomesAnHBaseThatServesAsPlanned() {
    var report = way.run();

    assertThat(report.firstPut()).as("kubectl apply to first put").isLessThan(FIRST_PUT_WITHIN);
    assertThat(report.written().path("rowsWritten").asInt()).isEqualTo(ROWS);
    assertAllRowsRight(report.read());
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
        lines(kubectl.jsonPath("nodes", "{range .items[*]}{.spec.podCIDR}{\"\\n\"}{end}"));
    assertThat(subnets).hasSizeGreaterThanOrEqualTo(2).doesNotHaveDuplicates();
    var nodes =
        pods(
            "app.kubernetes.io/component=regionserver",
            "{range .items[*]}{.spec.nodeName}{\"\\n\"}{end}");
    assertThat(lines(nodes)).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  @Order(3)
  void impossiblePlanTouchesNothingThatRuns() {
    var before = pods();

    patch("{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"64Mi\"}}}}");

    await("refusal")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(kubectl.condition("demo", "Planned"))
                    .startsWith("False PlanRefused")
                    .contains("spec.regionServers.memory.offHeap: 64Mi is too small"));
    assertThat(kubectl.condition("demo", "Ready")).startsWith("True");

    patch("{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"512Mi\"}}}}");

    await("what runs declared again")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(kubectl.condition("demo", "Planned")).startsWith("True"));
    assertThat(pods()).isEqualTo(before);
  }

  @Test
  @Order(4)
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
    assertRowsRight(10_000, report);
    // It goes beside the next steps: Kubernetes waits by its region servers' grace period.
    kubectl.output("delete", "namespace", "other", "--wait=false");
    assertThat(kubectl.condition("demo", "Ready")).startsWith("True");
  }

  @Test
  @Order(5)
  void aGroupWithItsBlocksInAFileServesAsPlannedAndGoesAgain() {
    patch(
        """
        {"spec": {"regionServerGroups": [{
          "name": "file", "replicas": 1, "memory": {"heap": "768Mi", "offHeap": "256Mi"},
          "blockCache": {"mode": "File", "file": {"storage": {"size": "1Gi"}}}}]}}
        """);

    await("a region server of the new group")
        .atMost(RESTARTS_WITHIN)
        // Until the operator knows of the group, there is no first one.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              assertThat(kubectl.jsonPath("hbc/demo", "{.status.groups[0].ready}"))
                  .isEqualTo("1/1");
              assertThat(kubectl.jsonPath("hbc/demo", "{.status.readyRegionServers}"))
                  .isEqualTo("3/3");
            });
    var server = new RegionServerPod(kubectl, "demo-regionserver-file-0");
    assertThat(server.configuration())
        .containsEntry("hbase.bucketcache.ioengine", "file:/cache/bucket.cache")
        .containsEntry("hbase.bucketcache.size", "960");
    assertThat(server.arguments()).contains("-Xmx768m", "-XX:MaxDirectMemorySize=256m");
    assertThat(kubectl.output("exec", server.name(), "--", "ls", "/cache"))
        .contains("bucket.cache");
    assertAllRowsRight(way.verify("read", ROWS, "demo"));

    patch("{\"spec\": {\"regionServerGroups\": null}}");

    await("the group gone")
        .atMost(Duration.ofMinutes(6))
        .untilAsserted(() -> assertThat(pods()).doesNotContainKey("demo-regionserver-file-0"));
    assertAllRowsRight(way.verify("read", ROWS, "demo"));
  }

  @Test
  @Order(6)
  void tablesWithLargerBlocksGetBuffersThatHoldThem() {
    // What is declared would win over what the tables have.
    patch("{\"spec\":{\"regionServers\":{\"hfile\":null}}}");
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
    var running = pods();
    patch(
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
    assertThat(pods()).isEqualTo(running);
    verify("read", 2_000, "--value-size", "4000", "--table", "large");
  }

  private static void verify(String what, int rows, String... options) {
    var command =
        new ArrayList<>(
            List.of("exec", "demo-client", "--", "entrypoint", "client", "verify", what));
    command.addAll(List.of("--rows", Integer.toString(rows), "--keep"));
    command.addAll(List.of(options));
    kubectl.output(command.toArray(String[]::new));
  }

  private static String bufferSize(String field) {
    return kubectl.jsonPath(
        "hbc/demo",
        "{.status.memoryPlan.settings[?(@.key==\"hbase.server.allocator.buffer.size\")]."
            + field
            + "}");
  }

  @Test
  @Order(7)
  void deletionRemovesWhatWasMadeButVolumesAndANewClusterFindsItsData() {
    var volumes = names("pvc");
    assertThat(volumes).hasSize(3);

    kubectl.output("delete", "hbc", "demo", "--wait=false");

    await("everything but volumes gone")
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(
            () ->
                assertThat(
                        names(
                            "pods,statefulsets,services,configmaps,poddisruptionbudgets",
                            "-l",
                            "app.kubernetes.io/instance=demo"))
                    .isEmpty());
    assertThat(names("pvc")).isEqualTo(volumes);

    way.apply();
    way.awaitReady();
    assertAllRowsRight(way.verify("read", ROWS, "demo"));
  }

  private static void assertAllRowsRight(JsonNode report) {
    assertRowsRight(ROWS, report);
  }

  private static void assertRowsRight(int rows, JsonNode report) {
    assertThat(report.path("rowsRead").asInt()).isEqualTo(rows);
    assertThat(report.path("wrong").asInt(-1)).isZero();
    assertThat(report.path("missing").asInt(-1)).isZero();
  }

  private static void patch(String patch) {
    kubectl.output("patch", "hbc", "demo", "--type=merge", "-p", patch);
  }

  private static String planHash() {
    return kubectl.jsonPath("hbc/demo", "{.status.memoryPlan.hash}");
  }

  private static List<String> regionServerPlans() {
    return lines(
        kubectl.jsonPath("hbc/demo", "{range .status.regionServers[*]}{.planHash}{\"\\n\"}{end}"));
  }

  private static int servingRegionServers() {
    var ready =
        pods(
            "app.kubernetes.io/component=regionserver",
            "{range .items[*].status.conditions[?(@.type==\"Ready\")]}{.status}"
                + "{\"\\n\"}{end}");
    return (int) lines(ready).stream().filter("True"::equals).count();
  }

  /** Uids of the cluster's pods by name. */
  private static Map<String, String> pods() {
    var pods = new TreeMap<String, String>();
    var output =
        pods(
            "app.kubernetes.io/instance=demo",
            "{range .items[*]}{.metadata.name} {.metadata.uid}{\"\\n\"}{end}");
    for (String line : lines(output)) {
      int space = line.indexOf(' ');
      pods.put(line.substring(0, space), line.substring(space + 1));
    }
    return pods;
  }

  /** What a JSON path gives for the pods of a selector. */
  private static String pods(String selector, String path) {
    return kubectl.output("get", "pods", "-l", selector, "-o", "jsonpath=" + path);
  }

  private static Set<String> names(String kinds, String... options) {
    var command = new ArrayList<>(List.of("get", kinds, "-o", "name", "--ignore-not-found"));
    command.addAll(List.of(options));
    return Set.copyOf(lines(kubectl.output(command.toArray(String[]::new))));
  }

  private static List<String> lines(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }
}
