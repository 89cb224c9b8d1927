package io.offheap.hbase.e2e;

import static io.offheap.hbase.operator.render.Ports.DATANODE_DATA;
import static io.offheap.hbase.operator.render.Ports.DATANODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.DATANODE_IPC;
import static io.offheap.hbase.operator.render.Ports.MASTER_HTTP;
import static io.offheap.hbase.operator.render.Ports.MASTER_RPC;
import static io.offheap.hbase.operator.render.Ports.NAMENODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.NAMENODE_RPC;
import static io.offheap.hbase.operator.render.Ports.REGIONSERVER_HTTP;
import static io.offheap.hbase.operator.render.Ports.REGIONSERVER_RPC;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_CLIENT;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_METRICS;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The demo and the operator where NetworkPolicies are enforced: connections that a policy denies
 * fail, and those that HBase, its clients, the operator and Prometheus need do not. The demo comes
 * up under enforcement too. The steps stand on each other, hence the order.
 *
 * <p>A port that does not listen is not reached either. So the first step reaches each port without
 * the policies, and each denied pod has a permitted one beside it.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class NetworkPoliciesIT {
  private static final int ROWS = 10_000;
  private static final String TABLE = "policies";
  private static final String PODS = "e2e/src/test/resources/policies/pods.yaml";
  private static final Duration ENFORCED_WITHIN = Duration.ofMinutes(1);
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(8);

  /** By the component of a pod's labels. One ZooKeeper server has no port for its peers. */
  private static final Map<String, List<Integer>> LISTENED =
      Map.of(
          "zookeeper", List.of(ZOOKEEPER_CLIENT, ZOOKEEPER_METRICS),
          "namenode", List.of(NAMENODE_RPC, NAMENODE_HTTP),
          "datanode", List.of(DATANODE_DATA, DATANODE_HTTP, DATANODE_IPC),
          "master", List.of(MASTER_RPC, MASTER_HTTP),
          "regionserver", List.of(REGIONSERVER_RPC, REGIONSERVER_HTTP));

  /** Of one pod of each role, and of a second region server. */
  private static final int ALL_LISTENED = 13;

  private static final String OPERATOR = "hbase-offheap";
  private static final String SECRET = "policies-webhook";
  private static final int OPERATOR_METRICS = 8080;
  private static final int OPERATOR_WEBHOOK = 8081;
  private static final int OPERATOR_PROBES = 8082;
  private static final int OPERATOR_PAGE = 8083;

  private static Shell shell;
  private static Kubectl kubectl;
  private static DemoCluster demo;
  private static DemoWay way;
  private static RolloutCluster cluster;
  private static RolloutAssertions restarts;
  private static OperatorReplicas operators;
  private static ConnectingPod stranger;
  private static ConnectingPod lookalike;
  private static ConnectingPod bulkLoad;
  private static ConnectingPod prometheus;
  private static ConnectingPod alertmanager;
  private static ConnectingPod client;
  private static boolean isFinished;

  @BeforeAll
  static void demoUnderEnforcement() {
    shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    demo = new DemoCluster(kubectl);
    way = new DemoWay(shell, ROWS, System.out);
    cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    restarts = new RolloutAssertions(kubectl, cluster);
    operators = new OperatorReplicas(shell);
    var elsewhere = new Kubectl(shell, "elsewhere");
    stranger = new ConnectingPod(kubectl, "stranger");
    lookalike = new ConnectingPod(elsewhere, "lookalike");
    bulkLoad = new ConnectingPod(kubectl, "bulk-load");
    prometheus = new ConnectingPod(elsewhere, "prometheus");
    alertmanager = new ConnectingPod(elsewhere, "alertmanager");
    client = new ConnectingPod(kubectl, "demo-client");

    demo.deleteWithVolumes();
    shell.output("e2e/cluster/cluster", "policies");
    shell.output("kubectl", "apply", "-f", PODS);
    way.apply();
    way.awaitReady();
    List.of(stranger, lookalike, bulkLoad, prometheus, alertmanager)
        .forEach(ConnectingPod::awaitReady);
  }

  /** Of a run that failed, what is denied and to whom is shown. */
  @AfterAll
  static void leaveNoClusterAndEnforceNothing() {
    if (client == null) {
      return;
    }
    if (!isFinished) {
      kubectl.show("get", "pods", "--all-namespaces", "-o", "wide", "--show-labels");
      kubectl.show("get", "networkpolicies", "--all-namespaces", "-o", "yaml");
      operators.showLogs();
    }
    // The next suite counts on a cluster without it.
    shell.output("e2e/cluster/cluster", "policies", "--off");
    kubectl.output("delete", "hbc/demo", "pod/demo-client", "--ignore-not-found", "--wait=false");
    shell.output("kubectl", "delete", "-f", PODS, "--ignore-not-found", "--wait=false");
  }

  @Test
  @Order(1)
  void withoutPoliciesEachPodReachesEachPort() {
    demo.patch("{\"spec\":{\"networkPolicy\":{\"enabled\":false}}}");

    var all = LISTENED.values().stream().flatMap(List::stream).toArray(Integer[]::new);
    awaitReached(stranger, all);
    awaitReached(lookalike, all);
  }

  @Test
  @Order(2)
  void aPodThatIsNotDeclaredReachesNoPort() {
    demo.patch("{\"spec\":{\"networkPolicy\":{\"enabled\":true}}}");

    awaitReached(stranger);
    awaitReached(lookalike);
    awaitReached(alertmanager);
  }

  @Test
  @Order(3)
  void aDeclaredClientReachesHBaseAndItsDataAndNotHdfs() {
    awaitReached(client, ZOOKEEPER_CLIENT, MASTER_RPC, REGIONSERVER_RPC);

    var written = way.verify("write", ROWS, TABLE);
    assertThat(written.path("rowsWritten").asInt()).isEqualTo(ROWS);
    assertRowsRight();
  }

  @Test
  @Order(4)
  void prometheusReachesThePortsWithMetricsAlone() {
    awaitReached(prometheus, ZOOKEEPER_METRICS, MASTER_HTTP, REGIONSERVER_HTTP);
  }

  @Test
  @Order(5)
  void aPodReachesHdfsWhileItIsDeclaredForIt() {
    awaitReached(bulkLoad);

    demo.patch(
        "{\"spec\":{\"networkPolicy\":{\"hdfs\":[{\"podLabels\":{\"app\":\"bulk-load\"}}]}}}");
    awaitReached(bulkLoad, NAMENODE_RPC, DATANODE_DATA, DATANODE_IPC);
    awaitReached(stranger);

    demo.patch("{\"spec\":{\"networkPolicy\":{\"hdfs\":null}}}");
    awaitReached(bulkLoad);
  }

  /** The operator drains it by RPC of the masters, and its successor has another address. */
  @Test
  @Order(6)
  void aDeletedRegionServerIsDrainedAndItsSuccessorServes() {
    var pod = "demo-regionserver-1";
    var before = cluster.pods("regionserver");
    var started = Instant.now();

    kubectl.output("delete", "pod", pod, "--wait=false");

    var restarted = rollOut("the region server serves again", started);
    assertThat(restarted).extracting(RestartedServer::pod).containsExactly(pod);
    assertThat(restarted.get(0).outcome()).isEqualTo("Restarted");
    assertThat(cluster.pods("regionserver").get(pod).uid()).isNotEqualTo(before.get(pod).uid());
    assertRowsRight();
    awaitReached(client, ZOOKEEPER_CLIENT, MASTER_RPC, REGIONSERVER_RPC);
    awaitReached(stranger);
  }

  /** Also reads the tables by RPC, and the metrics of the canary and its peer. */
  @Test
  @Order(7)
  void theOperatorRollsAChangeOut() {
    await("the tables as the operator reads them")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(kubectl.condition(DemoCluster.NAME, "TablesFit"))
                    .startsWith("True BlocksFit"));
    var before = cluster.pods("regionserver");
    var started = Instant.now();

    demo.patch("{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"480Mi\"}}}}");

    restarts.assertRestartedOnce(rollOut("both region servers restarted", started), before);
    restarts.assertRunWith("-XX:MaxDirectMemorySize=480m");
    assertRowsRight();
    awaitReached(stranger);
    awaitReached(prometheus, ZOOKEEPER_METRICS, MASTER_HTTP, REGIONSERVER_HTTP);
  }

  /** The chart's policy. The page listens on loopback, with the policy and without it. */
  @Test
  @Order(8)
  void theOperatorAdmitsPrometheusToItsMetricsAndAlertmanagerToItsWebhook() {
    var inOperators = new Kubectl(shell, OPERATOR);
    inOperators.output("delete", "secret", SECRET, "--ignore-not-found");
    inOperators.output(
        "create", "secret", "generic", SECRET, "--from-literal=token=" + UUID.randomUUID());

    operators.upgrade(
        1,
        "--set",
        "webhook.enabled=true,webhook.tokenSecret=" + SECRET + ",networkPolicy.enabled=false");
    Supplier<Map<String, String>> ports = () -> operatorsPorts(inOperators);
    awaitReached(stranger, ports, OPERATOR_METRICS, OPERATOR_WEBHOOK, OPERATOR_PROBES);

    operators.upgrade(1, "--set", "networkPolicy.enabled=true");
    awaitReached(stranger, ports);
    awaitReached(client, ports);
    awaitReached(prometheus, ports, OPERATOR_METRICS);
    awaitReached(alertmanager, ports, OPERATOR_WEBHOOK);
    isFinished = true;
  }

  private static List<RestartedServer> rollOut(String what, Instant started) {
    var restarted = cluster.awaitRollout(what, started, ROLLOUT_WITHIN, resource -> {});
    System.out.printf("%s:%n", what);
    restarted.forEach(System.out::println);
    return restarted;
  }

  private static void assertRowsRight() {
    DemoCluster.assertRowsRight(ROWS, way.verify("read", ROWS, TABLE));
  }

  /** Waits until a pod reaches these ports of the cluster's pods, all of them and no other one. */
  private static void awaitReached(ConnectingPod pod, Integer... permitted) {
    awaitReached(
        pod,
        () -> {
          var ports = ports();
          assertThat(ports).as("ports of the cluster's pods").hasSize(ALL_LISTENED);
          return ports;
        },
        permitted);
  }

  private static void awaitReached(
      ConnectingPod pod, Supplier<Map<String, String>> listened, Integer... permitted) {
    var numbers = Set.of(permitted);
    await(pod.name() + " reaches " + numbers)
        .atMost(ENFORCED_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        // A pod that was just replaced.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              var ports = listened.get();
              var reached =
                  pod.reached(ports.keySet()).stream()
                      .map(ports::get)
                      .collect(toCollection(TreeSet::new));
              var expected =
                  ports.values().stream()
                      .filter(it -> numbers.contains(port(it)))
                      .collect(toCollection(TreeSet::new));
              assertThat(reached).as("ports that %s reaches", pod.name()).isEqualTo(expected);
            });
  }

  private static int port(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
  }

  /** By address, as {@code 10.244.1.5:16000}, the names, as {@code demo-master-0:16000}. */
  private static Map<String, String> ports() {
    var ports = new TreeMap<String, String>();
    var selector = "app.kubernetes.io/instance=" + DemoCluster.NAME;
    var pods = RolloutCluster.parse(kubectl.output("get", "pods", "-l", selector, "-o", "json"));
    for (JsonNode pod : pods.path("items")) {
      var role = pod.path("metadata").path("labels").path("app.kubernetes.io/component").asText();
      put(ports, pod, LISTENED.getOrDefault(role, List.of()));
    }
    return ports;
  }

  private static Map<String, String> operatorsPorts(Kubectl inOperators) {
    var ports = new TreeMap<String, String>();
    var pod = operators.pods().firstKey();
    put(
        ports,
        RolloutCluster.parse(inOperators.output("get", "pod", pod, "-o", "json")),
        List.of(OPERATOR_METRICS, OPERATOR_WEBHOOK, OPERATOR_PROBES, OPERATOR_PAGE));
    return ports;
  }

  private static void put(Map<String, String> ports, JsonNode pod, List<Integer> numbers) {
    var address = pod.path("status").path("podIP").asText();
    var name = pod.path("metadata").path("name").asText();
    numbers.forEach(it -> ports.put(address + ":" + it, name + ":" + it));
  }
}
