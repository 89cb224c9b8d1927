package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.rollout.ServerSample;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The first server with a change performs worse than its peers: on a real API server, with a model
 * of HBase in its pods and given metrics.
 */
@ExtendWith(ApiServer.class)
class CanaryIT {
  private static final String CANARY = "hb-regionserver-2";
  private static final String EVIDENCE = "heap share of allocated bytes 40.00 % against 0.00 %";
  private static final String RESOURCE = RolledServers.RESOURCE.replace("window: 1s", "window: 2s");

  private ServingCluster hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = ServingCluster.start(server, server.createNamespace(test), RESOURCE);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void rollsBackWorseCanaryWithoutRestartOfItsPeers() {
    var uids = hb.uids();
    var plans = planHashes();
    reportHeapShares(pod -> plans.contains(plan(pod)) ? 0 : 0.4);

    setHeap("2Gi");

    var back =
        await("rolled back").atMost(LONG).until(() -> hb.status().rolledBack(), Objects::nonNull);
    assertThat(back)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.group()).isEmpty();
              assertThat(it.reason()).isEqualTo("CanaryWorse");
              assertThat(it.evidence()).containsExactly(EVIDENCE);
            });
    awaitSettled();
    // While the spec is the same, it stays rolled back.
    hb.awaitQuiet();
    assertThat(planHashes()).isEqualTo(plans);
    assertThat(hb.status().rolledBack()).isEqualTo(back);
    assertThat(hb.condition("RolledBack"))
        .hasValue(
            "True ChangeRolledBack: the default group runs as it last served: CanaryWorse, "
                + EVIDENCE);
    assertThat(notes("ChangeRolledBack")).containsExactly("CanaryWorse: " + EVIDENCE);
    // Once for the change, and once to roll it back.
    assertThat(deletedPods()).containsExactly(CANARY, CANARY);
    var peers = new TreeMap<>(uids);
    assertThat(peers.remove(CANARY)).isNotEqualTo(hb.uids().get(CANARY));
    assertThat(hb.uids()).containsAllEntriesOf(peers);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().isBalancerOn()).isTrue();

    var before = hb.uids();
    reportHeapShares(pod -> 0);
    setHeap("1536Mi");

    await("another change rolled out")
        .atMost(LONG)
        .until(() -> new HashSet<>(planHashes()).size() == 1 && areOthers(before));
    awaitSettled();
    assertThat(planHashes()).doesNotContainAnyElementsOf(plans);
    assertThat(deletedPods())
        .containsExactly(CANARY, CANARY, CANARY, "hb-regionserver-1", "hb-regionserver-0");
    assertThat(hb.status().rolledBack()).isNull();
    assertThat(hb.status().lastRollout().passed())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.pod()).isEqualTo(CANARY);
              assertThat(it.evidence()).contains(EVIDENCE.replace("40.00", "0.00"));
            });
    assertThat(notes("CanaryEnded"))
        .anyMatch(it -> it.startsWith(CANARY + " is no worse than its peers: heap share"));
    assertThat(hb.condition("RolledBack")).isEmpty();
    assertThat(hb.hbase().lost()).isEmpty();
  }

  /** A node that flaps must hold no rollout up. */
  @Test
  void canaryOnSilentNodePassesWhileItsServerIsLive(ApiServer.Running server) {
    hb.hbases().setSamples(id -> List.of());
    var before = hb.uids();
    setHeap("2Gi");
    var canary = awaitCompared();

    report(server, false);
    reportHeapShares(pod -> 0);

    await("passed").atMost(LONG).until(() -> !passed().isEmpty());
    assertThat(passed())
        .singleElement()
        .satisfies(it -> assertThat(it.since()).isEqualTo(canary.since()));
    report(server, true);
    await("rolled out").atMost(LONG).until(() -> areOthers(before));
    awaitSettled();
    assertThat(hb.status().rolledBack()).isNull();
    assertThat(notes("CanaryNodeLost")).isEmpty();
  }

  /** Kubernetes' node controller withdraws the condition Ready, and no other. */
  @Test
  void canaryIsComparedAnewOnceIfItsNodeIsLost(ApiServer.Running server) {
    hb.hbases().setSamples(id -> List.of());
    setHeap("2Gi");
    var first = awaitCompared();

    lose(server);

    await("lost").atMost(LONG).until(() -> canary().filter(it -> isLost(it, 1)).isPresent());
    assertThat(hb.status().rolledBack()).isNull();
    hb.hbase().revive(CANARY);
    report(server, true);
    var second = awaitCompared();
    assertThat(second.nodeLosses()).isEqualTo(1);
    assertThat(second.uid()).as("the same pod").isEqualTo(first.uid());
    assertThat(second.since()).isGreaterThan(first.since());
    // Written after the status, by another thread.
    await("the event").atMost(LONG).until(() -> !notes("CanaryNodeLost").isEmpty());
    assertThat(notes("CanaryNodeLost")).hasSize(1);

    lose(server);

    var back =
        await("rolled back").atMost(LONG).until(() -> hb.status().rolledBack(), Objects::nonNull);
    assertThat(back).singleElement().satisfies(it -> assertThat(it.reason()).isEqualTo("NodeLost"));
    hb.hbase().revive(CANARY);
    awaitSettled();
  }

  private void lose(ApiServer.Running server) {
    hb.hbase().lose(CANARY);
    report(server, false);
  }

  /** Whether the canary's node reports it. */
  private void report(ApiServer.Running server, boolean reports) {
    server
        .client()
        .resource(pod(CANARY))
        .editStatus(
            it ->
                new PodBuilder(it)
                    .editStatus()
                    .withConditions(condition("Ready", reports), condition("ContainersReady", true))
                    .endStatus()
                    .build());
  }

  private static PodCondition condition(String type, boolean isTrue) {
    return new PodConditionBuilder().withType(type).withStatus(isTrue ? "True" : "False").build();
  }

  private static boolean isLost(RolloutStatus.Canary canary, int times) {
    return Integer.valueOf(times).equals(canary.nodeLosses()) && canary.uid().isEmpty();
  }

  private Optional<RolloutStatus.Canary> canary() {
    return Optional.ofNullable(hb.status().rollout()).map(RolloutStatus::canary);
  }

  private RolloutStatus.Canary awaitCompared() {
    return await("compared")
        .atMost(LONG)
        .until(
            () -> canary().filter(it -> it.uid() != null && !it.uid().isEmpty()),
            Optional::isPresent)
        .orElseThrow();
  }

  /** A rollout that can restart no other server ends. */
  private List<RolloutStatus.Passed> passed() {
    var status = hb.status();
    return Optional.ofNullable(status.rollout())
        .map(RolloutStatus::passed)
        .or(() -> Optional.ofNullable(status.lastRollout()).map(RolloutStatus.Finished::passed))
        .orElse(List.of());
  }

  private void reportHeapShares(ToDoubleFunction<String> ofPod) {
    var figures = new ModelFigures(ofPod);
    var hbase = hb.hbase();
    // The uids of the running pods, before one is replaced.
    assertThat(figures.of(hbase.view().orElseThrow())).hasSize(3);
    hb.hbases()
        .setSamples(id -> hbase.view().map(figures::of).map(this::reported).orElse(List.of()));
  }

  /**
   * As with real servers, metrics are read only while a canary is compared. The canary has no beans
   * for a moment after its regions were opened, and reports nothing at the first request.
   */
  private List<ServerSample> reported(List<ServerSample> all) {
    var canary = Optional.ofNullable(hb.status().rollout()).map(RolloutStatus::canary);
    if (canary.isEmpty()) {
      return List.of();
    }
    boolean isFirst = canary.get().samples() == null || canary.get().samples().isEmpty();
    return all.stream().filter(it -> !isFirst || !it.pod().equals(CANARY)).toList();
  }

  private void awaitSettled() {
    await("nothing under way").atMost(LONG).until(() -> hb.status().rollout() == null);
    hb.awaitReady();
  }

  private void setHeap(String heap) {
    hb.declare(RESOURCE.replace("1Gi", heap));
  }

  private List<String> planHashes() {
    return hb.simulator().planHashes("hb");
  }

  private String plan(String pod) {
    return RolledServers.plan(pod(pod));
  }

  private Pod pod(String name) {
    return hb.pods().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Whether every region server has a new pod. */
  private boolean areOthers(Map<String, String> before) {
    var now = hb.uids();
    return Set.of("hb-regionserver-0", "hb-regionserver-1", CANARY).stream()
        .allMatch(it -> now.containsKey(it) && !now.get(it).equals(before.get(it)));
  }

  /** Pods that the operator has deleted, in order. */
  private List<String> deletedPods() {
    return hb.writes().stream()
        .filter(it -> it.verb().equals("delete") && it.resource().equals("pods"))
        .map(AuditLog.Request::name)
        .toList();
  }

  private List<String> notes(String reason) {
    return hb.events().stream()
        .filter(it -> it.getReason().equals(reason))
        .map(it -> it.getMessage())
        .toList();
  }
}
