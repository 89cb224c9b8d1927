package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.RestartDecision.Done;
import io.offheap.hbase.operator.rollout.RestartDecision.Reason;
import io.offheap.hbase.operator.rollout.RestartDecision.Restart;
import io.offheap.hbase.operator.rollout.RestartDecision.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of {@link RestartDecision}, one by one and in their order, for three pods. */
class RestartDecisionTest {
  private static final String ROLE = "zookeeper";
  private static final int REPLICAS = 3;

  @Test
  void restartsNothingIfEveryPodIsUpToDate() {
    assertThat(decide(current(0), current(1), current(2))).isEqualTo(new Done());
  }

  @Test
  void ignoresMissingPodsIfNoneIsOutdated() {
    assertThat(decide()).isEqualTo(new Done());
    assertThat(decide(current(0).startingUp())).isEqualTo(new Done());
  }

  @Test
  void leavesCurrentPodThatDoesNotServe() {
    assertThat(decide(current(0), current(1).startingUp(), current(2))).isEqualTo(new Done());
  }

  @Test
  void waitsUntilTemplateIsObserved() {
    var pods = List.of(outdated(0).pod(), outdated(1).pod(), outdated(2).pod());

    assertThat(decide(pods, REPLICAS, false))
        .isEqualTo(new Wait(Reason.TEMPLATE_NOT_OBSERVED, ROLE, ""));
  }

  @Test
  void waitsWhilePodIsStopping() {
    assertThat(decide(outdated(0), outdated(1), outdated(2).stopping()))
        .isEqualTo(new Wait(Reason.POD_TERMINATING, ROLE, "hb-zookeeper-2"));
    assertThat(decide(outdated(0), current(1).stopping(), current(2)))
        .as("a pod that was deleted from outside")
        .isEqualTo(new Wait(Reason.POD_TERMINATING, ROLE, "hb-zookeeper-1"));
  }

  @Test
  void waitsWhilePodIsMissing() {
    assertThat(decide(outdated(0), outdated(1))).isEqualTo(new Wait(Reason.POD_MISSING, ROLE, ""));
  }

  @Test
  void waitsWhileRestartedPodDoesNotServe() {
    assertThat(decide(outdated(0), outdated(1), current(2).startingUp()))
        .isEqualTo(new Wait(Reason.POD_NOT_SERVING, ROLE, "hb-zookeeper-2"));
  }

  @Test
  void restartsOutdatedPodThatDoesNotServeFirst() {
    assertThat(decide(outdated(0).startingUp(), outdated(1), outdated(2)))
        .isEqualTo(new Restart("hb-zookeeper-0"));
  }

  @Test
  void restartsHighestOrdinalThatDoesNotServeFirst() {
    assertThat(decide(outdated(0).startingUp(), outdated(1).startingUp(), outdated(2)))
        .isEqualTo(new Restart("hb-zookeeper-1"));
  }

  @Test
  void restartsHighestOrdinalFirst() {
    assertThat(decide(outdated(0), outdated(1), outdated(2)))
        .isEqualTo(new Restart("hb-zookeeper-2"));
    assertThat(decide(outdated(0), outdated(1), current(2)))
        .isEqualTo(new Restart("hb-zookeeper-1"));
  }

  @Test
  void comparesOrdinalsAsNumbers() {
    var pods = IntStream.range(0, 11).mapToObj(ordinal -> outdated(ordinal).pod()).toList();

    assertThat(decide(pods, 11, true)).isEqualTo(new Restart("hb-zookeeper-10"));
  }

  @Test
  void restartsNothingWhilePaused() {
    for (TestPod server : List.of(outdated(0), outdated(0).startingUp())) {
      assertThat(RestartDecision.of(ROLE, List.of(server.pod()), 1, true, rules(true, true)))
          .isEqualTo(new Wait(Reason.PAUSED, ROLE, ""));
    }
    assertThat(RestartDecision.of(ROLE, List.of(current(0).pod()), 1, true, rules(true, true)))
        .isEqualTo(new Done());
  }

  /** The restart of a pod that does not serve loses nothing. */
  @Test
  void restartsOnlyPodsThatDoNotServeOutsideWindow() {
    assertThat(RestartDecision.of(ROLE, List.of(outdated(0).pod()), 1, true, rules(false, false)))
        .isEqualTo(new Wait(Reason.OUTSIDE_WINDOW, ROLE, "hb-zookeeper-0"));
    assertThat(
            RestartDecision.of(
                ROLE, List.of(outdated(0).startingUp().pod()), 1, true, rules(false, false)))
        .isEqualTo(new Restart("hb-zookeeper-0"));
  }

  @Test
  void ignoresSurplusPod() {
    assertThat(decide(outdated(0), outdated(1), outdated(2), current(3)))
        .isEqualTo(new Restart("hb-zookeeper-2"));
  }

  @Test
  void messageNamesRoleReasonAndPod() {
    var outdated = new PodState("hb-namenode-0", 0, true, true, true);

    var decision = RestartDecision.of("namenode", List.of(outdated), 1, true, rules(false, true));

    assertThat(((Wait) decision).text()).isEqualTo("namenode: a pod is stopping (hb-namenode-0)");
    assertThat(new Wait(Reason.POD_MISSING, "datanode", "").text())
        .isEqualTo("datanode: a pod is missing");
  }

  /** Informers return pods in any order. */
  @Test
  void decisionIsIndependentOfPodOrder() {
    var pods = new ArrayList<PodState>();
    for (int ordinal = 0; ordinal < 5; ordinal++) {
      pods.add(outdated(ordinal).pod());
    }
    for (int restart = 0; restart < pods.size(); restart++) {
      Collections.rotate(pods, 1);
      assertThat(decide(pods, 5, true)).isEqualTo(new Restart("hb-zookeeper-4"));
    }
  }

  /** Repeated decisions lead from all outdated to none. */
  @Test
  void restartsEachPodOnceAndOneAtATime() {
    var pods = new ArrayList<>(List.of(outdated(0).pod(), outdated(1).pod(), outdated(2).pod()));
    var restarted = new ArrayList<String>();

    while (decide(pods, REPLICAS, true) instanceof Restart restart) {
      restarted.add(restart.pod());
      int ordinal = REPLICAS - restarted.size();
      pods.set(ordinal, outdated(ordinal).stopping().pod());
      assertWaits(pods, Reason.POD_TERMINATING, ordinal);
      pods.set(ordinal, current(ordinal).startingUp().pod());
      assertWaits(pods, Reason.POD_NOT_SERVING, ordinal);
      pods.set(ordinal, current(ordinal).pod());
    }

    assertThat(restarted).containsExactly("hb-zookeeper-2", "hb-zookeeper-1", "hb-zookeeper-0");
  }

  /** While the last pod restarts, none is outdated, so the decision is done. */
  private static void assertWaits(List<PodState> pods, Reason reason, int ordinal) {
    var decision = decide(pods, REPLICAS, true);
    boolean isLast = pods.stream().noneMatch(PodState::outdated);
    assertThat(decision)
        .isEqualTo(isLast ? new Done() : new Wait(reason, ROLE, "hb-zookeeper-" + ordinal));
  }

  private static RestartDecision decide(
      List<PodState> pods, int replicas, boolean isTemplateObserved) {
    return RestartDecision.of(ROLE, pods, replicas, isTemplateObserved, rules(false, true));
  }

  private static RolloutRules rules(boolean isPaused, boolean isWindowOpen) {
    return new RolloutRules(
        1, Duration.ZERO, Duration.ZERO, Optional.empty(), isPaused, isWindowOpen);
  }

  private static RestartDecision decide(TestPod... servers) {
    return decide(List.of(servers).stream().map(TestPod::pod).toList(), REPLICAS, true);
  }

  private static TestPod current(int ordinal) {
    return new TestPod(new PodState("hb-zookeeper-" + ordinal, ordinal, false, true, false));
  }

  private static TestPod outdated(int ordinal) {
    return new TestPod(new PodState("hb-zookeeper-" + ordinal, ordinal, true, true, false));
  }

  /** Reads as a sentence: {@code outdated(1).stopping()}. */
  private record TestPod(PodState pod) {
    TestPod startingUp() {
      return new TestPod(new PodState(pod.name(), pod.ordinal(), pod.outdated(), false, false));
    }

    TestPod stopping() {
      return new TestPod(new PodState(pod.name(), pod.ordinal(), pod.outdated(), false, true));
    }
  }
}
