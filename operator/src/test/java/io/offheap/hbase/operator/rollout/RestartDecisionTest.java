package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.PodState.Phase;
import io.offheap.hbase.operator.rollout.PodTrouble.Kind;
import io.offheap.hbase.operator.rollout.RestartDecision.Done;
import io.offheap.hbase.operator.rollout.RestartDecision.Reason;
import io.offheap.hbase.operator.rollout.RestartDecision.Restart;
import io.offheap.hbase.operator.rollout.RestartDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of {@link RestartDecision}: three pods of ZooKeeper, then ZooKeeper and HDFS. */
class RestartDecisionTest {
  private static final String ZOOKEEPER = "zookeeper";
  private static final String NAMENODE = "namenode";
  private static final String DATANODE = "datanode";
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final Map<String, String> refused = new TreeMap<>();
  private boolean isPaused;
  private boolean isWindowOpen = true;
  private boolean isRolloutStored;

  @Test
  void restartsNothingIfEveryPodIsUpToDate() {
    assertThat(decide(current(0), current(1), current(2))).isEqualTo(new Done());
  }

  /** New pods, or pods that crash: Kubernetes starts them, and a restart would not help. */
  @Test
  void leavesPodsThatAreUpToDate() {
    assertThat(decide(role(ZOOKEEPER, 3))).isEqualTo(new Done());
    assertThat(decide(current(0).starting())).isEqualTo(new Done());
    assertThat(decide(current(0), current(1).cannotStart(), current(2))).isEqualTo(new Done());
    assertThat(decide(current(0), current(1).hangs(), current(2))).isEqualTo(new Done());
  }

  @Test
  void waitsUntilTemplateIsObserved() {
    for (TestPod pod : List.of(outdated(2), outdated(2).cannotStart())) {
      assertThat(
              decide(
                  unobserved(role(ZOOKEEPER, 3, current(0), current(1), pod)),
                  role(NAMENODE, 1, current(0))))
          .isEqualTo(new Wait(Reason.TEMPLATE_NOT_OBSERVED, ZOOKEEPER, ""));
    }
  }

  @Test
  void waitsWhilePodIsStopping() {
    assertThat(decide(outdated(0), outdated(1), outdated(2).stopping()))
        .isEqualTo(waits(Reason.POD_TERMINATING, "hb-zookeeper-2"));
    assertThat(decide(outdated(0), current(1).stopping(), current(2)))
        .as("a pod that was deleted from outside")
        .isEqualTo(waits(Reason.POD_TERMINATING, "hb-zookeeper-1"));
  }

  @Test
  void waitsWhilePodIsMissing() {
    assertThat(decide(outdated(0), outdated(1))).isEqualTo(waits(Reason.POD_MISSING, ""));
    assertThat(decide(outdated(0), outdated(1).cannotStart()))
        .as("the pod that was just deleted shows first whether it starts")
        .isEqualTo(waits(Reason.POD_MISSING, ""));
  }

  @Test
  void waitsWhileRestartedPodDoesNotServe() {
    assertThat(decide(outdated(0), outdated(1), current(2).starting()))
        .isEqualTo(waits(Reason.POD_NOT_SERVING, "hb-zookeeper-2"));
    assertThat(decide(outdated(0), outdated(1), current(2).hangs()))
        .isEqualTo(waits(Reason.POD_NOT_SERVING, "hb-zookeeper-2"));
  }

  @Test
  void restartsHighestOrdinalFirst() {
    assertThat(decide(outdated(0), outdated(1), outdated(2))).isEqualTo(restart(2));
    assertThat(decide(outdated(0), outdated(1), current(2))).isEqualTo(restart(1));
  }

  @Test
  void comparesOrdinalsAsNumbers() {
    var pods = IntStream.range(0, 11).mapToObj(RestartDecisionTest::outdated);

    assertThat(decide(role(ZOOKEEPER, 11, pods.toArray(TestPod[]::new)))).isEqualTo(restart(10));
  }

  @Test
  void restartsNothingWhilePaused() {
    isPaused = true;
    for (TestPod pod : List.of(outdated(0), outdated(0).cannotStart())) {
      assertThat(decide(role(ZOOKEEPER, 1, pod))).isEqualTo(new Wait(Reason.PAUSED, ZOOKEEPER, ""));
    }
    assertThat(decide(role(ZOOKEEPER, 1, current(0)))).isEqualTo(new Done());
  }

  @Test
  void restartsNoServingPodOutsideWindowOrDuringRollout() {
    isWindowOpen = false;
    assertThat(decide(outdated(0), outdated(1), outdated(2)))
        .isEqualTo(waits(Reason.OUTSIDE_WINDOW, "hb-zookeeper-2"));
    isWindowOpen = true;
    isRolloutStored = true;
    assertThat(decide(outdated(0), outdated(1), outdated(2)))
        .isEqualTo(waits(Reason.ROLLOUT_UNDER_WAY, ""));
  }

  /** A rollout may wait for this pod. */
  @Test
  void restartsPodThatDoesNotServeOutsideWindowAndDuringRollout() {
    isWindowOpen = false;
    isRolloutStored = true;
    for (TestPod pod : List.of(outdated(0).cannotStart(), outdated(0).hangs())) {
      assertThat(decide(pod, outdated(1), outdated(2))).isEqualTo(repair(ZOOKEEPER, 0));
    }
  }

  /** A probe that failed, or a node that restarts. */
  @Test
  void leavesPodThatMayBeBackSoon() {
    assertThat(decide(outdated(0), outdated(1).starting(), outdated(2)))
        .isEqualTo(waits(Reason.POD_NOT_SERVING, "hb-zookeeper-1"));
  }

  /** Its kubelet stops nothing, and its server may serve. */
  @Test
  void leavesPodsWhoseNodesDoNotReport() {
    assertThat(decide(outdated(0).silent(), outdated(1).silent(), outdated(2).silent()))
        .isEqualTo(waits(Reason.POD_NOT_SERVING, "hb-zookeeper-0, which is down"));
  }

  @Test
  void restartsPodThatCannotStartBeforePodThatHangs() {
    assertThat(decide(outdated(0).cannotStart(), outdated(1).hangs(), outdated(2).hangs()))
        .isEqualTo(repair(ZOOKEEPER, 0));
    assertThat(decide(outdated(0).hangs(), outdated(1).hangs(), outdated(2)))
        .isEqualTo(repair(ZOOKEEPER, 1));
  }

  /** The former template is declared again; the two others wait for a quorum. */
  @Test
  void restoresQuorum() {
    assertThat(decide(current(0).hangs(), current(1).lost(), outdated(2).cannotStart()))
        .as("the node of a pod is lost")
        .isEqualTo(repair(ZOOKEEPER, 2));
    assertThat(decide(current(0).hangs(), outdated(1).cannotStart(), outdated(2).cannotStart()))
        .as("and the pod was made again before")
        .isEqualTo(repair(ZOOKEEPER, 2));
    assertThat(decide(current(0).hangs(), outdated(1).hangs(), outdated(2).hangs()))
        .isEqualTo(repair(ZOOKEEPER, 2));
  }

  /** It would follow it. */
  @Test
  void leavesPodThatWaitsForQuorumIfPresentTemplateDoesNotStart() {
    assertThat(decide(outdated(0).hangs(), outdated(1), current(2).cannotStart()))
        .isEqualTo(waits(Reason.POD_CANNOT_START, "hb-zookeeper-2, which is down"));
  }

  /** It has nothing to lose; the other may be down for its own reason, such as a full volume. */
  @Test
  void podThatCannotStartWaitsForNoOtherThatCannot() {
    assertThat(decide(current(0).cannotStart(), current(1).hangs(), outdated(2).cannotStart()))
        .isEqualTo(repair(ZOOKEEPER, 2));
  }

  /** No node is no fault of the template. */
  @Test
  void podWithoutNodeHoldsNothingBackForLong() {
    assertThat(decide(outdated(0).hangs(), outdated(1), current(2).hangs().with(Kind.NO_NODE)))
        .isEqualTo(repair(ZOOKEEPER, 0));
    assertThat(decide(outdated(0).hangs(), outdated(1), current(2).starting().with(Kind.NO_NODE)))
        .isEqualTo(waits(Reason.POD_NOT_SERVING, "hb-zookeeper-2, which is down"));
  }

  /** All of a role came down at once, for example by its nodes' power supply. */
  @Test
  void givesUnprovenTemplateToOnePodAtATime() {
    for (TestPod restarted :
        List.of(outdated(2).stopping(), current(2).starting(), current(2).stopping())) {
      assertThat(decide(outdated(0).hangs(), outdated(1).cannotStart(), restarted))
          .isInstanceOf(Wait.class);
    }
    assertThat(decide(outdated(0).hangs(), outdated(1).cannotStart(), current(2)))
        .isEqualTo(repair(ZOOKEEPER, 1));
    assertThat(decide(outdated(0).hangs(), outdated(1).cannotStart(), current(2).hangs()))
        .as("it may wait for the others")
        .isEqualTo(repair(ZOOKEEPER, 1));
  }

  /** The clocks of nodes may be ahead of the operator's, or behind it. */
  @Test
  void timesOfOtherClocksNeitherShortenNorLengthenWait() {
    for (Duration off : List.of(Duration.ofMinutes(-3), Duration.ZERO, Duration.ofHours(1))) {
      var pod =
          new PodState(
              "hb-zookeeper-0",
              0,
              true,
              Phase.DOWN,
              NOW.plus(off).toString(),
              Duration.ZERO,
              Optional.empty());
      var roles = List.of(new RolePods(ZOOKEEPER, List.of(pod), 1, true));
      var seen = SeenPods.NONE;
      for (int seconds : List.of(0, 60, 119, 120)) {
        long nanos = Duration.ofSeconds(seconds).toNanos();
        seen = seen.next(roles, nanos);
        assertThat(decide(seen.timed(roles, nanos).toArray(RolePods[]::new)))
            .as(off + " after " + seconds + " s")
            .isEqualTo(
                seconds < 120
                    ? waits(Reason.POD_NOT_SERVING, "hb-zookeeper-0")
                    : repair(ZOOKEEPER, 0));
      }
    }
  }

  @Test
  void leavesPodWhoseSuccessorIsRefused() {
    for (TestPod pod : List.of(outdated(2), outdated(2).cannotStart())) {
      refused.put("hb-zookeeper-2", "exceeded quota: q");
      assertThat(decide(outdated(0), outdated(1), pod))
          .isEqualTo(waits(Reason.POD_REFUSED, "hb-zookeeper-2, exceeded quota: q"));
    }
    assertThat(
            decide(
                role(ZOOKEEPER, 1, outdated(2).cannotStart()),
                role(NAMENODE, 1, outdated(0).cannotStart())))
        .isEqualTo(repair(NAMENODE, 0));
  }

  @Test
  void ignoresSurplusPod() {
    assertThat(decide(role(ZOOKEEPER, 3, outdated(0), outdated(1), outdated(2), current(3))))
        .isEqualTo(restart(2));
  }

  @Test
  void rolesRestartInTheOrderOfTheirStart() {
    assertThat(decideForAll(outdated(0), outdated(0), outdated(0), outdated(1)))
        .isEqualTo(restart(ZOOKEEPER, 0));
    assertThat(decideForAll(current(0), outdated(0), outdated(0), outdated(1)))
        .isEqualTo(restart(NAMENODE, 0));
    assertThat(decideForAll(current(0), current(0), outdated(0), outdated(1)))
        .isEqualTo(restart(DATANODE, 1));
  }

  /** The last pod of a role is no longer outdated while it restarts. */
  @Test
  void roleWaitsUntilEveryOtherServes() {
    for (TestPod pod : List.of(current(0).starting(), current(0).hangs(), current(0).silent())) {
      assertThat(decideForAll(pod, outdated(0), outdated(0), outdated(1)))
          .isEqualTo(new Wait(Reason.POD_NOT_SERVING, ZOOKEEPER, pod.of(ZOOKEEPER).text()));
      assertThat(decideForAll(outdated(0), outdated(0), pod, current(1)))
          .as("without that data node's blocks, the name node may stay in safe mode")
          .isEqualTo(new Wait(Reason.POD_NOT_SERVING, DATANODE, pod.of(DATANODE).text()));
    }
    assertThat(decideForAll(current(0).stopping(), outdated(0), outdated(0), outdated(1)))
        .isEqualTo(new Wait(Reason.POD_TERMINATING, ZOOKEEPER, "hb-zookeeper-0"));
    assertThat(decide(role(ZOOKEEPER, 1), role(NAMENODE, 1, outdated(0))))
        .isEqualTo(new Wait(Reason.POD_MISSING, ZOOKEEPER, ""));
    assertThat(decideForAll(current(0).cannotStart(), outdated(0), outdated(0), outdated(1)))
        .isEqualTo(new Wait(Reason.POD_NOT_SERVING, ZOOKEEPER, "hb-zookeeper-0, which is down"));
  }

  @Test
  void noOtherRoleHoldsBackPodThatDoesNotServe() {
    var broken = role(NAMENODE, 1, outdated(0).cannotStart());
    isWindowOpen = false;
    for (RolePods zookeeper :
        List.of(
            role(ZOOKEEPER, 1, outdated(0)),
            unobserved(role(ZOOKEEPER, 1, outdated(0).cannotStart())),
            role(ZOOKEEPER, 1, current(0).cannotStart()),
            role(ZOOKEEPER, 1, current(0).stopping()),
            role(ZOOKEEPER, 1, current(0).lost()),
            role(ZOOKEEPER, 2, outdated(0)),
            role(ZOOKEEPER, 1))) {
      assertThat(decide(zookeeper, broken)).isEqualTo(repair(NAMENODE, 0));
      assertThat(decide(broken, zookeeper)).isEqualTo(repair(NAMENODE, 0));
    }
  }

  /** It serves when the blocks of enough data nodes are reported. */
  @Test
  void nameNodeInSafeModeHoldsBackNoDataNodeThatDoesNotServe() {
    assertThat(decideForAll(current(0), current(0).hangs(), outdated(0).hangs(), outdated(1)))
        .isEqualTo(repair(DATANODE, 0));
    assertThat(decideForAll(current(0), current(0).starting(), outdated(0), outdated(1)))
        .isEqualTo(new Wait(Reason.POD_NOT_SERVING, NAMENODE, "hb-namenode-0"));
  }

  /** A restart begins anew what it has done; but a name node may never leave its safe mode. */
  @Test
  void nameNodeThatLoadsIsLeftForHalfAnHour() {
    for (int minutes : List.of(1, 3, 29)) {
      var loading = outdated(0).loadingFor(Duration.ofMinutes(minutes));
      assertThat(decideForAll(current(0), loading, current(0), current(1)))
          .as(minutes + " minutes")
          .isEqualTo(
              new Wait(
                  minutes < 2 ? Reason.POD_NOT_SERVING : Reason.POD_LOADING,
                  NAMENODE,
                  "hb-namenode-0"));
    }
    var overdue = outdated(0).loadingFor(Duration.ofMinutes(30));
    assertThat(decideForAll(current(0), overdue, current(0), current(1)))
        .isEqualTo(repair(NAMENODE, 0));
  }

  /** Its safe mode may end with the blocks of that data node. */
  @Test
  void nameNodeThatLoadsHoldsBackNoOtherRole() {
    var loading = outdated(0).loadingFor(Duration.ofMinutes(5));

    assertThat(decideForAll(current(0), loading, outdated(0).hangs(), current(1)))
        .isEqualTo(repair(DATANODE, 0));
    assertThat(decideForAll(outdated(0).cannotStart(), loading, current(0), current(1)))
        .isEqualTo(repair(ZOOKEEPER, 0));
  }

  /** What keeps a pod down is reported before a window. */
  @Test
  void reportsPodThatDoesNotServeFirst() {
    isWindowOpen = false;
    refused.put("hb-namenode-0", "denied");

    assertThat(decideForAll(outdated(0), outdated(0).cannotStart(), current(0), current(1)))
        .isEqualTo(new Wait(Reason.POD_REFUSED, NAMENODE, "hb-namenode-0, denied"));
  }

  @Test
  void messageNamesRoleReasonAndPod() {
    assertThat(new Wait(Reason.POD_TERMINATING, NAMENODE, "hb-namenode-0").text())
        .isEqualTo("namenode: a pod is stopping (hb-namenode-0)");
    assertThat(new Wait(Reason.POD_MISSING, DATANODE, "").text())
        .isEqualTo("datanode: a pod is missing");
  }

  /** Informers return pods in any order. */
  @Test
  void decisionIsIndependentOfPodOrder() {
    var pods = new ArrayList<TestPod>();
    for (int ordinal = 0; ordinal < 5; ordinal++) {
      pods.add(outdated(ordinal));
    }
    for (int restart = 0; restart < pods.size(); restart++) {
      Collections.rotate(pods, 1);
      assertThat(decide(role(ZOOKEEPER, 5, pods.toArray(TestPod[]::new)))).isEqualTo(restart(4));
    }
  }

  /** Repeated decisions lead from all outdated to none, whether the pods served before or not. */
  @Test
  void restartsEachPodOnceAndOneAtATime() {
    for (boolean isServing : List.of(true, false)) {
      var roles = new ArrayList<List<TestPod>>();
      for (int replicas : List.of(3, 1, 2)) {
        roles.add(
            new ArrayList<>(
                IntStream.range(0, replicas)
                    .mapToObj(it -> isServing ? outdated(it) : outdated(it).cannotStart())
                    .toList()));
      }
      var restarted = new ArrayList<String>();

      while (decideForAll(roles) instanceof Restart restart) {
        restarted.add(restart.pod());
        int role = restart.pod().contains(ZOOKEEPER) ? 0 : restart.pod().contains(NAMENODE) ? 1 : 2;
        int ordinal = restart.pod().charAt(restart.pod().length() - 1) - '0';
        for (TestPod step :
            List.of(
                outdated(ordinal).stopping(),
                current(ordinal).starting(),
                current(ordinal).hangs())) {
          roles.get(role).set(ordinal, step);
          assertThat(decideForAll(roles))
              .isNotEqualTo(new Restart(restart.pod(), true))
              .isNotEqualTo(new Restart(restart.pod(), false));
          if (isServing) {
            assertThat(decideForAll(roles)).isNotInstanceOf(Restart.class);
          }
        }
        roles.get(role).set(ordinal, current(ordinal));
      }

      assertThat(decideForAll(roles)).isEqualTo(new Done());
      assertThat(restarted)
          .containsExactly(
              "hb-zookeeper-2",
              "hb-zookeeper-1",
              "hb-zookeeper-0",
              "hb-namenode-0",
              "hb-datanode-1",
              "hb-datanode-0");
    }
  }

  private RestartDecision decideForAll(List<List<TestPod>> roles) {
    return decide(
        role(ZOOKEEPER, 3, roles.get(0).toArray(TestPod[]::new)),
        role(NAMENODE, 1, roles.get(1).toArray(TestPod[]::new)),
        role(DATANODE, 2, roles.get(2).toArray(TestPod[]::new)));
  }

  private RestartDecision decide(RolePods... roles) {
    var rules =
        new RolloutRules(1, Duration.ZERO, Duration.ZERO, Optional.empty(), isPaused, isWindowOpen);
    var snapshot = RolloutSnapshot.at(NOW).rules(rules).refusedPods(refused).build();
    return RestartDecision.of(List.of(roles), snapshot, isRolloutStored);
  }

  /** Of ZooKeeper's three pods. */
  private RestartDecision decide(TestPod... pods) {
    return decide(role(ZOOKEEPER, 3, pods));
  }

  /** Of one ZooKeeper, the name node and two data nodes. */
  private RestartDecision decideForAll(
      TestPod zookeeper, TestPod nameNode, TestPod dataNode, TestPod otherDataNode) {
    return decide(
        role(ZOOKEEPER, 1, zookeeper),
        role(NAMENODE, 1, nameNode),
        role(DATANODE, 2, dataNode, otherDataNode));
  }

  private static RolePods role(String role, int replicas, TestPod... pods) {
    return new RolePods(role, Arrays.stream(pods).map(it -> it.of(role)).toList(), replicas, true);
  }

  private static RolePods unobserved(RolePods role) {
    return new RolePods(role.role(), role.pods(), role.replicas(), false);
  }

  private static Wait waits(Reason reason, String pod) {
    return new Wait(reason, ZOOKEEPER, pod);
  }

  private static Restart restart(int ordinal) {
    return restart(ZOOKEEPER, ordinal);
  }

  private static Restart restart(String role, int ordinal) {
    return new Restart("hb-" + role + "-" + ordinal, true);
  }

  /** The restart of a pod that does not serve. */
  private static Restart repair(String role, int ordinal) {
    return new Restart("hb-" + role + "-" + ordinal, false);
  }

  private static TestPod current(int ordinal) {
    return new TestPod(ordinal, false, Phase.SERVING, Duration.ZERO, Optional.empty());
  }

  private static TestPod outdated(int ordinal) {
    return new TestPod(ordinal, true, Phase.SERVING, Duration.ZERO, Optional.empty());
  }

  /** Reads as a sentence: {@code outdated(1).stopping()}. */
  private record TestPod(
      int ordinal, boolean isOutdated, Phase phase, Duration lasted, Optional<PodTrouble> trouble) {
    PodState of(String role) {
      return new PodState(
          "hb-" + role + "-" + ordinal, ordinal, isOutdated, phase, "times", lasted, trouble);
    }

    private TestPod is(Phase other, Duration time) {
      return new TestPod(ordinal, isOutdated, other, time, trouble);
    }

    /** Or served a moment ago. */
    TestPod starting() {
      return is(Phase.DOWN, Duration.ofSeconds(20));
    }

    /** It has run for long and does not serve; it may wait for another. */
    TestPod hangs() {
      return is(Phase.DOWN, Duration.ofMinutes(2));
    }

    TestPod loadingFor(Duration time) {
      return is(Phase.LOADING, time);
    }

    TestPod stopping() {
      return is(Phase.TERMINATING, Duration.ofMinutes(-5));
    }

    /** It was deleted, and its node does not end it. */
    TestPod lost() {
      return is(Phase.TERMINATING, Duration.ofMinutes(2));
    }

    TestPod silent() {
      return hangs().with(Kind.SILENT_NODE);
    }

    TestPod with(Kind kind) {
      return new TestPod(
          ordinal, isOutdated, phase, lasted, Optional.of(new PodTrouble(kind, "is down")));
    }

    TestPod cannotStart() {
      return is(Phase.CANNOT_START, Duration.ZERO).with(Kind.NO_IMAGE);
    }
  }
}
