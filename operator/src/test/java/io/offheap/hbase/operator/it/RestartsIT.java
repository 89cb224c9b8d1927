package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rollouts on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
class RestartsIT {
  private static final Duration LONG = Duration.ofSeconds(90);
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

  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;
  private ModelHBases hbases;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    client = running.client();
    var method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    namespace = "roll-" + method.substring(0, Math.min(40, method.length()));
    server.createNamespace(namespace);
    simulator = new StatefulSetSimulator(client, namespace);
    hbases = new ModelHBases(client);
    operator = OperatorUnderTest.start(server, hbases, namespace);
    client.resource(Clusters.parse(RESOURCE, namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");
    await("last good").atMost(LONG).until(() -> status().lastGood() != null);
  }

  @AfterEach
  void stop() {
    operator.close();
    hbases.close();
    simulator.close();
  }

  @Test
  void changeIsRolledOutAndEverythingIsAsBefore() {
    var regions = hbase().regionsByPod();
    var uids = uids();

    setHeap("2Gi");

    awaitDone(uids);
    assertThat(hbase().lost()).isEmpty();
    assertThat(hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hbase().isBalancerOn()).isTrue();
    assertThat(hbase().isNormalizerOn()).isFalse();
    assertThat(hbase().draining()).isEmpty();
    assertThat(status().lastRollout().servers())
        .extracting(RolloutStatus.FinishedServer::pod)
        .containsExactly("hb-regionserver-0", "hb-regionserver-1", "hb-regionserver-2");
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
            "RolloutFinished");
  }

  /**
   * One rollout; at each step that is seen written, the operator is stopped and another takes over.
   * That it may be stopped anywhere is shown by simulation, beside the decisions.
   */
  @Test
  void operatorStoppedAtEveryStepGoesOn() throws Exception {
    var regions = hbase().regionsByPod();
    var uids = uids();
    var steps = new HashSet<String>();
    setHeap("2Gi");

    for (int i = 0; i < 400 && !isDone(uids); i++) {
      var step = step();
      if (!step.isEmpty() && steps.add(step)) {
        operator.close();
        operator = OperatorUnderTest.start(server, hbases, namespace);
      }
      Thread.sleep(100);
    }

    awaitDone(uids);
    assertThat(steps).hasSizeGreaterThan(4);
    assertThat(hbase().lost()).isEmpty();
    assertThat(hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hbase().isBalancerOn()).isTrue();
    assertThat(hbase().draining()).isEmpty();
  }

  @Test
  void serversAreEmptiedBeforeTheyAreScaledAway() {
    edit("replicas: 3", "replicas: 1");

    await("one server")
        .atMost(LONG)
        .until(() -> serverPods().size() == 1 && status().rollout() == null);
    assertThat(hbase().lost()).isEmpty();
    assertThat(hbase().regionsByPod()).containsOnlyKeys("hb-regionserver-0");
    assertThat(hbase().regionsByPod().get("hb-regionserver-0")).hasSize(15);
    assertThat(hbase().draining()).isEmpty();
    assertThat(hbase().isBalancerOn()).isTrue();
  }

  @Test
  void aServerThatNeverServesIsTakenBackAndNobodyElseRestarts() {
    var uids = uids();
    var before = planHashes();
    simulator.letBecomeReady(pod -> !isServer(pod) || before.contains(plan(pod)));

    edit("heap: 1Gi", "heap: 2Gi", "window: 1s}", "window: 1s}, startTimeout: 5s");

    await("taken back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(condition("RolledBack"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("True ChangeTakenBack")
                                .contains("NotServing")));
    await("as before").atMost(LONG).until(() -> status().rollout() == null);
    assertThat(planHashes()).isEqualTo(before);
    assertThat(hbase().lost()).isEmpty();
    assertThat(uids().get("hb-regionserver-0")).isEqualTo(uids.get("hb-regionserver-0"));
    assertThat(uids().get("hb-regionserver-1")).isEqualTo(uids.get("hb-regionserver-1"));
    assertThat(uids().get("hb-regionserver-2")).isNotEqualTo(uids.get("hb-regionserver-2"));
    assertThat(condition("Ready")).hasValueSatisfying(it -> assertThat(it).startsWith("True"));
  }

  @Test
  void pauseHoldsTheNextServerAndLeavesNothingSwitchedOff() {
    var uids = uids();
    annotate("hbase.offheap.io/paused", "true");
    setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(condition("Progressing"))
                    .hasValueSatisfying(
                        it -> assertThat(it).contains("WaitingToRestart: the cluster is paused")));
    await("told").atMost(LONG).until(() -> eventReasons().contains("HeldBack"));
    assertThat(hbase().isBalancerOn()).isTrue();
    assertThat(uids()).isEqualTo(uids);

    annotate("hbase.offheap.io/paused", "false");

    awaitDone(uids);
  }

  @Test
  void restartIsAskedForByAnnotation() {
    var uids = uids();

    annotate("hbase.offheap.io/restartedAt", "2026-01-01T00:00:00Z");

    awaitDone(uids);
    assertThat(hbase().lost()).isEmpty();
  }

  @Test
  void aChangeThatNeedsNoRestartRestartsNothing() {
    var uids = uids();

    edit(
        "heap: 1Gi",
        "heap: 1024Mi",
        "window: 1s}",
        "window: 2s}, drainTimeout: 1h, maxUnavailable: 2");

    await("seen").atMost(LONG).until(() -> status().appliedSpec().rollout().maxUnavailable() == 2);
    server.auditLog().awaitQuiet(namespace);
    assertThat(uids()).isEqualTo(uids);
    assertThat(status().rollout()).isNull();
  }

  /** Another version makes other templates of what is declared. */
  @Test
  void anotherOperatorVersionRestartsNothing() throws Exception {
    var uids = uids();
    operator.close();
    client.pods().inNamespace(namespace).list().getItems().stream()
        .map(it -> it.getMetadata().getName())
        .forEach(
            pod ->
                client
                    .pods()
                    .inNamespace(namespace)
                    .withName(pod)
                    .edit(
                        it -> {
                          it.getMetadata()
                              .getAnnotations()
                              .put("hbase.offheap.io/template-hash", "earlier");
                          return it;
                        }));

    operator = OperatorUnderTest.start(server, hbases, namespace);

    await("a pass").atMost(LONG).until(() -> operator.passes("success") > 0);
    server.auditLog().awaitQuiet(namespace);
    assertThat(uids()).isEqualTo(uids);
    // What is declared otherwise reaches them all the same.
    setHeap("2Gi");
    awaitDone(uids);
  }

  @Test
  void whileHBaseDoesNotAnswerNoServerIsTouched() {
    var uids = uids();
    hbase().answer(false);
    setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(condition("Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).contains("HBase has not answered")));
    assertThat(uids()).isEqualTo(uids);

    hbase().answer(true);

    awaitDone(uids);
    assertThat(hbase().lost()).isEmpty();
  }

  private ModelHBase hbase() {
    return hbases.of(namespace, "hb");
  }

  private HBaseClusterStatus status() {
    return cluster().getStatus();
  }

  private HBaseCluster cluster() {
    return Clusters.get(client, namespace, "hb");
  }

  private Optional<String> condition(String type) {
    return Clusters.condition(cluster(), type);
  }

  /** What is written of a rollout, as far as it is a step. */
  private String step() {
    var rollout = status().rollout();
    if (rollout == null) {
      return "";
    }
    var servers = new ArrayList<String>();
    rollout
        .servers()
        .forEach(
            it ->
                servers.add(
                    it.pod() + it.step() + (it.regions() == null) + (it.emptyAt() == null)));
    return servers
        + String.valueOf(rollout.balancer())
        + (rollout.master() == null ? "" : rollout.master().pod())
        + (rollout.canary() == null ? "" : rollout.canary().pod());
  }

  private boolean isDone(Map<String, String> uids) {
    var now = uids();
    return now.size() == uids.size()
        && now.values().stream().noneMatch(uids::containsValue)
        && status().rollout() == null;
  }

  /** Every region server and master is another pod than then. */
  private void awaitDone(Map<String, String> uids) {
    await("all restarted").atMost(LONG).until(() -> isDone(uids));
    Clusters.awaitReady(client, namespace, "hb");
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
    var edited = Clusters.parse(yaml, namespace, "hb").getSpec();
    change(it -> it.setSpec(edited));
  }

  private void annotate(String key, String value) {
    change(
        it -> {
          var annotations = new TreeMap<String, String>();
          Optional.ofNullable(it.getMetadata().getAnnotations()).ifPresent(annotations::putAll);
          annotations.put(key, value);
          it.getMetadata().setAnnotations(annotations);
        });
  }

  private void change(Consumer<HBaseCluster> change) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .edit(
            it -> {
              change.accept(it);
              return it;
            });
  }

  private static boolean isServer(Pod pod) {
    return pod.getMetadata().getName().contains("-regionserver-");
  }

  private List<Pod> serverPods() {
    return client.pods().inNamespace(namespace).list().getItems().stream()
        .filter(RestartsIT::isServer)
        .toList();
  }

  private Set<String> planHashes() {
    var hashes = new HashSet<String>();
    serverPods().forEach(it -> hashes.add(plan(it)));
    return hashes;
  }

  private static String plan(Pod pod) {
    return pod.getMetadata().getAnnotations().get("hbase.offheap.io/plan-hash");
  }

  /** Uids of the pods of HBase's own servers. */
  private Map<String, String> uids() {
    var uids = new TreeMap<String, String>();
    client.pods().inNamespace(namespace).list().getItems().stream()
        .filter(it -> isServer(it) || it.getMetadata().getName().contains("-master-"))
        .forEach(it -> uids.put(it.getMetadata().getName(), it.getMetadata().getUid()));
    return uids;
  }

  private Set<String> eventReasons() {
    var reasons = new HashSet<String>();
    client
        .v1()
        .events()
        .inNamespace(namespace)
        .list()
        .getItems()
        .forEach(it -> reasons.add(it.getReason()));
    return reasons;
  }
}
