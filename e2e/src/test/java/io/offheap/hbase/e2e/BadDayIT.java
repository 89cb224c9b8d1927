package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
 * What goes wrong around a rollout, while a client with HBase's own defaults writes and reads: no
 * operation fails, and no row is lost. One load runs through all steps.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class BadDayIT {
  private static final int RATE = 300;
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(10);

  /** Longer than it takes to drain a node, or to lose one. */
  private static final Duration WINDOW = Duration.ofSeconds(45);

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static RolloutAssertions restarts;
  private static OperatorReplicas operators;
  private static OperatorClock clock;
  private static Nodes nodes;
  private static JsonNode stateBefore;
  private static boolean isFinished;

  private Instant started;

  @BeforeAll
  static void clusterUnderLoad() throws IOException {
    var shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "bad-day");
    cluster = new RolloutCluster(kubectl);
    restarts = new RolloutAssertions(kubectl, cluster);
    operators = new OperatorReplicas(shell);
    clock = OperatorClock.make(shell, operators);
    nodes = new Nodes(shell);
    operators.scaleTo(1);
    cluster.makeNamespace();
    cluster.apply(
        """
        {"spec": {"storage": {"managed": {"dataNodes": 2, "replication": 2}},
                  "rollout": {"canary": {"window": "%ds"}}}}
        """
            .formatted(WINDOW.toSeconds()));
    cluster.awaitReady();
    cluster.startLoad(0, RATE, 30);
    stateBefore = cluster.state();
    assertThat(stateBefore.path("balancer").asBoolean()).as("balancer").isTrue();
  }

  @BeforeEach
  void noteTime() {
    started = Instant.now();
  }

  @AfterEach
  void nothingIsLeftBehind(TestInfo test) {
    if (isFinished) {
      return;
    }
    cluster.load().show(test.getTestMethod().orElseThrow().getName(), started);
    cluster.assertLeftAsFound(stateBefore);
    cluster.load().assertNoneBad();
  }

  @AfterAll
  static void leaveTheOperatorAsItWas() {
    if (clock == null) {
      return;
    }
    if (isFinished) {
      cluster.remove();
    } else {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "rollout", "-o", "jsonpath={.status.conditions}{.status.rollout}");
      operators.showLogs();
    }
    clock.restore();
  }

  /** What cannot change is refused with the field and what to do, and nothing is touched. */
  @Test
  @Order(1)
  void fewerDataNodesAndAnotherRootAreRefused() {
    var before = kubectl.output("get", "pods", "-o", "name");
    var generation = cluster.resource().path("metadata").path("generation");

    assertThat(refusal("{\"spec\": {\"storage\": {\"managed\": {\"dataNodes\": 1}}}}"))
        .contains("spec.storage.managed.dataNodes cannot become fewer");
    assertThat(
            refusal(
                """
                {"spec": {"storage": {"managed": null,
                                      "external": {"rootDir": "hdfs://elsewhere/hbase"}}}}
                """))
        .contains("spec.storage");

    assertThat(kubectl.output("get", "pods", "-o", "name")).isEqualTo(before);
    assertThat(cluster.resource().path("metadata").path("generation")).isEqualTo(generation);
  }

  /** Its pod comes to another node, and is compared there. */
  @Test
  @Order(2)
  void aDrainOfTheCanarysNodeIsNoVerdict() {
    var before = cluster.pods("regionserver");
    offHeap("288Mi");
    var canary = awaitComparison();
    var node = cluster.pods("regionserver").get(canary).node();

    try {
      nodes.drain(node, canary);
      awaitRollout("the rest after the canary's node was drained");
    } finally {
      nodes.uncordon(node);
    }

    var after = cluster.pods("regionserver");
    before.forEach((pod, old) -> assertThat(after.get(pod).uid()).as(pod).isNotEqualTo(old.uid()));
    restarts.assertRunWith("-XX:MaxDirectMemorySize=288m");
  }

  /**
   * A node whose kubelet is silent, as one without a network is: Kubernetes reports its pods as not
   * ready, while they serve.
   */
  @Test
  @Order(3)
  void aSilentNodeOfTheCanaryIsNoVerdict() {
    var before = cluster.pods("regionserver");
    offHeap("272Mi");
    var canary = awaitComparison();
    var node = cluster.pods("regionserver").get(canary).node();

    nodes.silence(node);
    try {
      await("a canary that is reported as not ready")
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> !cluster.pods("regionserver").get(canary).isReady());
    } finally {
      nodes.awake(node);
    }
    awaitRollout("the rest after the canary's node was silent");

    restarts.assertRunWith("-XX:MaxDirectMemorySize=272m");
    assertThat(RolloutAssertions.uids(cluster.pods("regionserver")))
        .doesNotContainValue(before.get(canary).uid());
  }

  /**
   * The operator is killed in each step of a restart, and starts again with a clock that is an hour
   * later each time.
   */
  @Test
  @Order(4)
  void theOperatorIsAwayForAnHourInEachStep() {
    var before = cluster.pods("regionserver");
    var absence = new OperatorAbsence(cluster, operators);
    int hours = 0;
    for (int mib = 260; !absence.isComplete() && mib < 272; mib += 4) {
      var since = operatorsTime(hours);
      offHeap(mib + "Mi");
      while (absence.beginsInNextStep(since)) {
        hours++;
        clock.startAgain(Duration.ofHours(hours));
      }
      var restarted = cluster.awaitRollout("the rollout", since, ROLLOUT_WITHIN, it -> {});
      restarted.forEach(System.out::println);
      restarts.assertRestartedOnce(restarted, before);
      restarts.assertRunWith("-XX:MaxDirectMemorySize=" + mib + "m");
      before = cluster.pods("regionserver");
    }
    assertThat(absence.left()).as("steps in which the operator was not away").isEmpty();

    // And back: what is stored is of the future then.
    clock.restore();
    cluster.awaitReady();
  }

  /** Known to the JVM, and too little to serve with. */
  @Test
  @Order(5)
  void anOptionThatAServerCannotStartWithIsRolledBack() {
    var before = cluster.pods("regionserver");

    cluster.patch(
        "{\"spec\": {\"regionServers\": {\"jvmOptions\": [\"-XX:MaxMetaspaceSize=20m\"]}}}");

    var canary = before.lastKey();
    var took = new AwaitedRollback(cluster, canary, before.get(canary).uid()).await();
    System.out.printf(
        "rolled back %d s after its pod was made, %d s after the change%n",
        took.toSeconds(), Duration.between(started, Instant.now()).toSeconds());
    assertThat(took).as("from the new pod to the rollback").isLessThan(Duration.ofMinutes(1));
    await("all serve")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              assertThat(kubectl.condition("rollout", "Ready")).startsWith("True AllServing");
              assertThat(cluster.rollout().isMissingNode()).as("no rollout").isTrue();
            });
    var after = cluster.pods("regionserver");
    before.forEach(
        (pod, old) -> {
          if (!pod.equals(canary)) {
            assertThat(after.get(pod).uid()).as(pod).isEqualTo(old.uid());
          }
          assertThat(new RegionServerPod(kubectl, pod).arguments())
              .doesNotContain("-XX:MaxMetaspaceSize=20m");
        });
    kubectl.show("describe", "hbc", "rollout");

    cluster.patch("{\"spec\": {\"regionServers\": {\"jvmOptions\": null}}}");
    await("nothing rolled back")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreException(IllegalStateException.class)
        .until(() -> cluster.resource().path("status").path("rolledBack").isEmpty());
    assertThat(RolloutAssertions.uids(cluster.pods("regionserver")))
        .isEqualTo(RolloutAssertions.uids(after));
  }

  /** The operator survives it within the chart's memory, and rolls the other cluster out. */
  @Test
  @Order(6)
  void aHostileClusterHoldsNoOtherUp() throws IOException {
    var hostile = new HostileCluster(kubectl);
    var alone = rollOut("280Mi");
    hostile.start(cluster.pods("regionserver").values().iterator().next().image());
    hostile.awaitReported();

    var beside = rollOut("284Mi");

    System.out.printf(
        "a rollout took %d s, and %d s beside the hostile cluster%n",
        alone.toSeconds(), beside.toSeconds());
    assertThat(operators.restarts()).as("restarts of the operator").isZero();
    assertThat(beside)
        .as("a rollout beside the hostile cluster")
        .isLessThan(alone.multipliedBy(3).dividedBy(2).plusSeconds(30));
    hostile.remove();
  }

  private static Duration rollOut(String size) {
    var since = Instant.now();
    offHeap(size);
    cluster.awaitRollout("the rollout with " + size, since, ROLLOUT_WITHIN, it -> {});
    restarts.assertRunWith("-XX:MaxDirectMemorySize=" + size.replace("Mi", "m"));
    return Duration.between(since, Instant.now());
  }

  @Test
  @Order(7)
  void noOperationFailedAndEveryRowIsThere() {
    cluster.load().finishWithNoneBad(Duration.ofMinutes(5));
    isFinished = true;
  }

  private static Instant operatorsTime(int hours) {
    return Instant.now().plus(Duration.ofHours(hours));
  }

  /** The pod of the canary, once it is compared with its peers. */
  private static String awaitComparison() {
    return await("a canary that is compared")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(500))
        .ignoreException(IllegalStateException.class)
        .until(cluster::rollout, it -> it.path("servers").isEmpty() && it.path("canary").has("uid"))
        .path("canary")
        .path("pod")
        .asText();
  }

  private void awaitRollout(String what) {
    var restarted = cluster.awaitRollout(what, started, ROLLOUT_WITHIN, it -> {});
    System.out.printf("%s:%n", what);
    restarted.forEach(System.out::println);
  }

  private static String refusal(String patch) {
    var result =
        kubectl
            .shell()
            .run(
                "bash",
                "-c",
                "kubectl --namespace \"$1\" patch hbc rollout --type=merge -p \"$2\" 2>&1",
                "patch",
                kubectl.namespace(),
                patch);
    assertThat(result.status()).as(result.output()).isNotZero();
    System.out.println(result.output().strip());
    return result.output();
  }

  private static void offHeap(String size) {
    cluster.patch(
        "{\"spec\":{\"regionServers\":{\"memory\":{\"offHeap\":\"%s\"}}}}".formatted(size));
  }
}
