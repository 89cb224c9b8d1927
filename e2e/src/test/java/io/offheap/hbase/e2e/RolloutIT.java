package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.RolloutCluster.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Region servers and masters go and come for every reason there is, while a client with HBase's own
 * defaults writes and reads: no operation fails, and no row is lost. The steps stand on each other,
 * hence the order; one load runs through all of them.
 *
 * <p>{@code ROLLOUT_OPERATIONS} is the number of operations, {@code ROLLOUT_RATE} how many a second
 * are not exceeded.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class RolloutIT {
  private static final long OPERATIONS = setting("ROLLOUT_OPERATIONS", 1_000_000);
  private static final int RATE = (int) setting("ROLLOUT_RATE", 1_000);
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(8);
  private static final String SERVER = "rollout-regionserver-";
  private static final String OTHER_TAG = "rollout-again";

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static RolloutAssertions restarts;
  private static OperatorReplicas operators;
  private static Nodes nodes;
  private static JsonNode stateBefore;
  private static boolean isFinished;

  private Instant started;

  private static long setting(String name, long defaultValue) {
    return Optional.ofNullable(System.getenv(name)).map(Long::parseLong).orElse(defaultValue);
  }

  @BeforeAll
  static void clusterUnderLoad() {
    var shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "rollout");
    cluster = new RolloutCluster(kubectl);
    restarts = new RolloutAssertions(kubectl, cluster);
    operators = new OperatorReplicas(shell);
    nodes = new Nodes(shell);
    operators.scaleTo(2);
    cluster.makeNamespace();
    cluster.apply();
    cluster.awaitReady();
    cluster.startLoad(OPERATIONS, RATE, 30);
    stateBefore = cluster.state();
    assertThat(stateBefore.path("balancer").asBoolean()).as("balancer").isTrue();
    assertThat(stateBefore.path("liveServers")).hasSize(3);
  }

  @BeforeEach
  void noteTime() {
    started = Instant.now();
  }

  /** Every step ends with the cluster as it was before and with a load that reports no fault. */
  @AfterEach
  void nothingIsLeftBehind(TestInfo test) {
    if (isFinished) {
      return;
    }
    cluster.load().show(test.getTestMethod().orElseThrow().getName(), started);
    cluster.assertNoServerCrashed();
    cluster.assertLeftAsFound(stateBefore);
    cluster.load().assertNoneBad();
  }

  @AfterAll
  static void leaveOneOperatorAndNoCluster() {
    if (cluster == null) {
      return;
    }
    if (isFinished) {
      cluster.remove();
    } else {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "rollout", "-o", "jsonpath={.status.conditions}{.status.rollout}");
      operators.showLogs();
    }
    operators.scaleTo(1);
  }

  @Test
  @Order(1)
  void changedMemoryRestartsEachRegionServerOnceCanaryFirst() {
    var before = cluster.pods("regionserver");
    var masters = RolloutAssertions.uids(cluster.pods("master"));
    var canaries = new HashSet<String>();
    var serving = new HashSet<Long>();

    offHeap("288Mi");

    var restarted =
        rollout(
            "three region servers restarted",
            resource -> {
              var canary = resource.path("status").path("rollout").path("canary").path("pod");
              if (canary.isTextual()) {
                canaries.add(canary.asText());
              }
              serving.add(
                  cluster.pods("regionserver").values().stream().filter(Pod::isReady).count());
            });
    restarts.assertRestartedOnce(restarted, before);
    RolloutAssertions.assertNotMuchSlowerThanItsOwnStart(restarted);
    assertThat(canaries).as("canary").containsExactly(restarted.get(0).pod());
    assertThat(serving).as("numbers of region servers that served").isSubsetOf(Set.of(2L, 3L));
    assertThat(RolloutAssertions.uids(cluster.pods("master"))).isEqualTo(masters);
    restarts.assertRunWith("-XX:MaxDirectMemorySize=288m");
  }

  @Test
  @Order(2)
  void aRolloutSurvivesTheLeadersEndAndTheActiveMasters() {
    var before = cluster.pods("regionserver");
    var leader = operators.leader();
    int transitions = operators.transitions();
    offHeap("272Mi");

    await("the first region server drained")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> cluster.restarting().matches(".* (Stop|Start|Return)"));
    operators.kill(leader);
    var killed = Instant.now();
    var written = cluster.rollout();
    var first = written.path("servers").path(0).path("pod").asText();
    System.out.printf("%s, the leader, killed during %s%n", leader, cluster.restarting());

    await("another operator leads")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              var rollout = cluster.rollout();
              var holder = operators.leader();
              if (holder.equals(leader)) {
                assertThat(rollout).as("a status that must not be written").isEqualTo(written);
              }
              return !Set.of("", leader).contains(holder);
            });
    System.out.printf(
        "%s leads %d ms after that%n",
        operators.leader(), Duration.between(killed, Instant.now()).toMillis());

    await("the rollout continues")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(500))
        .ignoreException(IllegalStateException.class)
        .until(() -> !Set.of("", first).contains(pod(cluster.restarting())));
    var second = cluster.restarting();
    var resumed = cluster.rollout();
    assertThat(resumed.path("started")).as("the same rollout").isEqualTo(written.path("started"));
    assertThat(resumed.path("finished").findValuesAsText("pod")).containsExactly(first);
    assertThat(operators.leaders()).as("those that act").hasSize(1).doesNotContain(leader);
    var master = RolloutCluster.podOf(cluster.state().path("activeMaster").asText());
    kubectl.output("delete", "pod", master, "--wait=false");
    System.out.printf("%s, the active master, deleted during %s%n", master, second);

    var lives = new TreeMap<String, Set<String>>();
    RolloutAssertions.uids(before)
        .forEach((pod, uid) -> lives.put(pod, new HashSet<>(Set.of(uid))));
    var restarted =
        rollout(
            "the rollout's end",
            resource -> {
              assertThat(resource.path("status").path("rollout").path("servers"))
                  .as("servers that are being restarted")
                  .hasSizeLessThanOrEqualTo(1);
              RolloutAssertions.uids(cluster.pods("regionserver"))
                  .forEach((pod, uid) -> lives.get(pod).add(uid));
            });
    restarts.assertRestartedOnce(restarted, before);
    assertThat(lives.values()).as("each pod and the one before").allMatch(it -> it.size() == 2);
    restarts.assertRunWith("-XX:MaxDirectMemorySize=272m");
    assertThat(RolloutCluster.podOf(cluster.state().path("activeMaster").asText()))
        .isNotEqualTo(master);
    assertThat(operators.leader()).isNotEqualTo(leader);
    assertThat(operators.transitions()).isGreaterThan(transitions);
  }

  @Test
  @Order(3)
  void aRegionServerIsScaledAwayAndBack() {
    kubectl.output("scale", "hbc", "rollout", "--replicas=2");

    var restarted = rollout("one region server less", resource -> {});
    assertThat(restarted).hasSize(1);
    assertThat(restarted.get(0).pod()).isEqualTo(SERVER + 2);
    assertThat(restarted.get(0).cause()).isEqualTo("ScaleDown");
    assertThat(restarted.get(0).outcome()).isEqualTo("ScaledDown");
    assertThat(restarted.get(0).regions()).isPositive();
    assertThat(cluster.pods("regionserver")).containsOnlyKeys(SERVER + 0, SERVER + 1);
    assertThat(RolloutCluster.podsOf(cluster.state().path("liveServers")))
        .containsExactlyInAnyOrder(SERVER + 0, SERVER + 1);

    kubectl.output("scale", "hbc", "rollout", "--replicas=3");

    await("three region servers again")
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              assertThat(kubectl.jsonPath("hbc/rollout", "{.status.readyServers}")).isEqualTo("3");
              assertThat(cluster.state().path("liveServers")).hasSize(3);
            });
  }

  @Test
  @Order(4)
  void regionServerIsDrainedBeforeItsNode() {
    var pod = SERVER + 1;
    var before = cluster.pods("regionserver");
    var node = before.get(pod).node();
    var log = CompletableFuture.supplyAsync(() -> kubectl.output("logs", "-f", "--since=1s", pod));

    try {
      // The one pod alone, so that the other steps find the rest where it was.
      nodes.drain(node, pod);

      var restarted = rollout("the region server is on another node", resource -> {});
      assertThat(restarted).hasSize(1);
      assertThat(restarted.get(0).pod()).isEqualTo(pod);
      assertThat(restarted.get(0).cause()).isEqualTo("PodDeleted");
      assertThat(restarted.get(0).outcome()).isEqualTo("Restarted");
      assertThat(restarted.get(0).regions()).isPositive();
      var after = cluster.pods("regionserver");
      before.forEach(
          (name, old) -> {
            if (name.equals(pod)) {
              assertThat(after.get(name).uid()).as(name).isNotEqualTo(old.uid());
              assertThat(after.get(name).node()).as("node of " + name).isNotEqualTo(node);
            } else {
              assertThat(after.get(name).uid()).as(name).isEqualTo(old.uid());
            }
          });
    } finally {
      nodes.uncordon(node);
    }
    assertThat(log.join().lines().filter(line -> line.startsWith("drained: ")).toList())
        .last()
        .asString()
        .startsWith("drained: no region after");
  }

  @Test
  @Order(5)
  void anotherImageRestartsRegionServersTwoAtOnceAndThenMasters() {
    var before = cluster.pods("regionserver");
    var image = before.get(before.firstKey()).image();
    var repository = image.substring(0, image.lastIndexOf(':'));
    var other = repository + ":" + OTHER_TAG;
    nodes.tag(image, other);
    var infrastructure = Set.of("zookeeper", "namenode", "datanode");
    var infrastructureBefore =
        infrastructure.stream().map(it -> RolloutAssertions.uids(cluster.pods(it))).toList();
    var active = RolloutCluster.podOf(cluster.state().path("activeMaster").asText());

    cluster.patch(
        """
        {"spec": {"image": {"repository": "%s", "tag": "%s"}, "rollout": {"maxUnavailable": 2}}}
        """
            .formatted(repository, OTHER_TAG));

    var atOnce = new TreeSet<Integer>();
    var serving = new TreeSet<Long>();
    var restarted =
        rollout(
            "all servers restarted",
            resource -> {
              atOnce.add(resource.path("status").path("rollout").path("servers").size());
              serving.add(
                  cluster.pods("regionserver").values().stream().filter(Pod::isReady).count());
            });
    restarts.assertRestartedOnce(restarted, before);
    assertThat(restarted.get(0).pod()).as("the canary, alone").isEqualTo(before.lastKey());
    RolloutAssertions.assertNotMuchSlowerThanItsOwnStart(restarted);
    var passed = cluster.resource().path("status").path("lastRollout").path("passed");
    System.out.println(passed);
    assertThat(passed).as("canaries").hasSize(1);
    assertThat(passed.path(0).path("evidence").toString())
        .as("by what it passed")
        .contains("heap share of allocated bytes");
    assertThat(atOnce).as("servers that are restarted at once").contains(1, 2).doesNotContain(3);
    assertThat(serving).as("numbers of region servers that served").doesNotContain(0L);
    var servers = cluster.pods("regionserver").values();
    var masters = cluster.pods("master").values();
    assertThat(servers).extracting(Pod::image).containsOnly(other);
    assertThat(masters).extracting(Pod::image).containsOnly(other);
    var lastServer = servers.stream().map(Pod::created).max(Comparator.naturalOrder());
    assertThat(masters)
        .as("masters come after region servers")
        .allMatch(it -> !it.created().isBefore(lastServer.orElseThrow()));
    assertThat(masters.stream().max(Comparator.comparing(Pod::created)).orElseThrow().name())
        .as("the active master comes last")
        .isEqualTo(active);
    assertThat(infrastructure.stream().map(it -> RolloutAssertions.uids(cluster.pods(it))).toList())
        .isEqualTo(infrastructureBefore);
  }

  @Test
  @Order(6)
  void noOperationFailedAndEveryRowIsThere() {
    var report = cluster.load().finish(Duration.ofMinutes(15));
    isFinished = true;

    System.out.printf("load: %s%n", report);
    cluster.load().remarks().forEach(System.out::println);
    assertThat(report.path("failed").asLong(-1)).isZero();
    assertThat(report.path("wrong").asLong(-1)).isZero();
    assertThat(report.path("stale").asLong(-1)).isZero();
    assertThat(report.path("missing").asLong(-1)).isZero();
    assertThat(report.path("operations").asLong()).isGreaterThanOrEqualTo(OPERATIONS);
    assertThat(report.path("rows").asLong()).isGreaterThan(10_000);
    cluster.assertLeftAsFound(stateBefore);
  }

  private List<RestartedServer> rollout(String what, Consumer<JsonNode> look) {
    var restarted = cluster.awaitRollout(what, started, ROLLOUT_WITHIN, look);
    System.out.printf("%s:%n", what);
    restarted.forEach(System.out::println);
    return restarted;
  }

  private static void offHeap(String size) {
    cluster.patch(
        "{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"%s\"}}}}".formatted(size));
  }

  private static String pod(String server) {
    return server.replaceFirst(" .*", "");
  }
}
