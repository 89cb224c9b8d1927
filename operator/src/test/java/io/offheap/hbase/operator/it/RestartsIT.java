package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.it.ServingCluster.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.RolloutStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Rollouts on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class RestartsIT {
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managedHdfs: {}}
        masters: {replicas: 2}
        rollout: {canary: {window: 1s}}
        regionServers:
          replicas: 3
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private KubernetesClient client;
  private ServingCluster hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    var method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    hb =
        ServingCluster.start(
            server, "roll-" + method.substring(0, Math.min(40, method.length())), RESOURCE);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void changeIsRolledOutAndEverythingIsAsBefore() {
    var regions = hb.hbase().regionsByPod();
    var uids = uids();

    setHeap("2Gi");

    awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(hb.hbase().isNormalizerOn()).isFalse();
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.status().lastRollout().servers())
        .extracting(RolloutStatus.FinishedServer::pod)
        .containsExactly("hb-regionserver-0", "hb-regionserver-1", "hb-regionserver-2");
    // The last of them is told behind the status that ended the wait.
    await("events")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(eventReasons())
                    .contains(
                        "RolloutStarted",
                        "Draining",
                        "Stopping",
                        "Starting",
                        "Returning",
                        "ServerDone",
                        "CanaryStarted",
                        "CanaryEnded",
                        "RolloutFinished"));
  }

  /**
   * One rollout; behind each step that is written, the operator is cut off and another takes over.
   * That it may be stopped anywhere is shown by simulation, beside the decisions.
   */
  @Test
  void operatorStoppedAtEveryStepGoesOn() throws Exception {
    var regions = hb.hbase().regionsByPod();
    var uids = uids();
    var cut = new CutAtSteps();
    hb.operator().close();
    hb.startOperator(cut);
    setHeap("2Gi");

    while (!isDone(uids)) {
      await("the next step").atMost(LONG).until(() -> cut.isCut() || isDone(uids));
      if (cut.isCut()) {
        hb.operator().close();
        cut.mend();
        hb.startOperator(cut);
      }
    }

    hb.awaitReady();
    assertThat(cut.steps())
        .contains("hb-master-0", "hb-master-1", "hb-regionserver-2 CANARY")
        .containsAll(stepsOf("hb-regionserver-0"))
        .containsAll(stepsOf("hb-regionserver-1"))
        .containsAll(stepsOf("hb-regionserver-2"));
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(hb.hbase().draining()).isEmpty();
  }

  private static List<String> stepsOf(String pod) {
    return Stream.of("DRAIN", "STOP", "START", "RETURN").map(it -> pod + " " + it).toList();
  }

  @Test
  void serversAreEmptiedBeforeTheyAreScaledAway() {
    edit("replicas: 3", "replicas: 1");

    await("one server")
        .atMost(LONG)
        .until(() -> serverPods().size() == 1 && hb.status().rollout() == null);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).containsOnlyKeys("hb-regionserver-0");
    assertThat(hb.hbase().regionsByPod().get("hb-regionserver-0")).hasSize(15);
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.hbase().isBalancerOn()).isTrue();
  }

  @Test
  void aServerThatNeverServesIsTakenBackAndNobodyElseRestarts() {
    var uids = uids();
    var before = planHashes();
    hb.simulator().letBecomeReady(pod -> !isServer(pod) || before.contains(plan(pod)));

    edit("heap: 1Gi", "heap: 2Gi", "window: 1s}", "window: 1s}, startTimeout: 5s");

    await("taken back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("RolledBack"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("True ChangeTakenBack")
                                .contains("NotServing")));
    await("as before").atMost(LONG).until(() -> hb.status().rollout() == null);
    hb.awaitReady();
    assertThat(planHashes()).isEqualTo(before);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(uids().get("hb-regionserver-0")).isEqualTo(uids.get("hb-regionserver-0"));
    assertThat(uids().get("hb-regionserver-1")).isEqualTo(uids.get("hb-regionserver-1"));
    assertThat(uids().get("hb-regionserver-2")).isNotEqualTo(uids.get("hb-regionserver-2"));
  }

  @Test
  void pauseHoldsTheNextServerAndLeavesNothingSwitchedOff() {
    var uids = uids();
    hb.annotate("hbase.offheap.io/paused", "true");
    setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(
                        it -> assertThat(it).contains("WaitingToRestart: the cluster is paused")));
    await("told").atMost(LONG).until(() -> eventReasons().contains("HeldBack"));
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(uids()).isEqualTo(uids);

    hb.annotate("hbase.offheap.io/paused", "false");

    awaitDone(uids);
  }

  @Test
  void restartIsAskedForByAnnotation() {
    var uids = uids();

    hb.annotate("hbase.offheap.io/restartedAt", "2026-01-01T00:00:00Z");

    awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }

  @Test
  void aChangeThatNeedsNoRestartRestartsNothing() {
    var uids = uids();

    edit(
        "heap: 1Gi",
        "heap: 1024Mi",
        "window: 1s}",
        "window: 2s}, drainTimeout: 1h, maxUnavailable: 2");

    await("seen")
        .atMost(LONG)
        .until(() -> hb.status().appliedSpec().rollout().maxUnavailable() == 2);
    hb.awaitQuiet();
    assertThat(uids()).isEqualTo(uids);
    assertThat(hb.status().rollout()).isNull();
  }

  /** Another version makes other templates of what is declared. */
  @Test
  void anotherOperatorVersionRestartsNothing() throws Exception {
    var uids = uids();
    hb.operator().close();
    hb.pods().forEach(this::setOtherTemplateHash);

    hb.startOperator();

    await("a pass").atMost(LONG).until(() -> hb.operator().passes("success") > 0);
    hb.awaitQuiet();
    assertThat(uids()).isEqualTo(uids);
    // What is declared otherwise reaches them all the same.
    setHeap("2Gi");
    awaitDone(uids);
  }

  @Test
  void whileHBaseDoesNotAnswerNoServerIsTouched() {
    var uids = uids();
    hb.hbase().answer(false);
    setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).contains("HBase has not answered")));
    assertThat(uids()).isEqualTo(uids);

    hb.hbase().answer(true);

    awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }

  private boolean isDone(Map<String, String> uids) {
    var now = uids();
    return now.size() == uids.size()
        && now.values().stream().noneMatch(uids::containsValue)
        && hb.status().rollout() == null;
  }

  /** Every region server and master is another pod than then. */
  private void awaitDone(Map<String, String> uids) {
    await("all restarted").atMost(LONG).until(() -> isDone(uids));
    hb.awaitReady();
  }

  private void setHeap(String heap) {
    // Masters restart too.
    edit(
        "heap: 1Gi",
        "heap: " + heap,
        "masters: {replicas: 2}",
        "masters: {replicas: 2, heap: 2Gi}");
  }

  private void edit(String... replacements) {
    var yaml = RESOURCE;
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(yaml).contains(replacements[i]);
      yaml = yaml.replace(replacements[i], replacements[i + 1]);
    }
    hb.declare(yaml);
  }

  private static boolean isServer(Pod pod) {
    return pod.getMetadata().getName().contains("-regionserver-");
  }

  private List<Pod> serverPods() {
    return hb.pods().stream().filter(RestartsIT::isServer).toList();
  }

  private Set<String> planHashes() {
    return serverPods().stream().map(RestartsIT::plan).collect(Collectors.toSet());
  }

  private static String plan(Pod pod) {
    return pod.getMetadata().getAnnotations().get("hbase.offheap.io/plan-hash");
  }

  private void setOtherTemplateHash(Pod pod) {
    client
        .resource(pod)
        .edit(
            it -> {
              it.getMetadata().getAnnotations().put("hbase.offheap.io/template-hash", "earlier");
              return it;
            });
  }

  /** Uids of the pods of HBase's own servers. */
  private Map<String, String> uids() {
    var uids = hb.uids();
    uids.keySet().removeIf(it -> !it.contains("-regionserver-") && !it.contains("-master-"));
    return uids;
  }

  private Set<String> eventReasons() {
    return hb.events().stream().map(Event::getReason).collect(Collectors.toSet());
  }
}
