package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.name;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rollback of a change that does not serve or whose canary is worse, and its exceptions. */
class RollerCanaryTest {
  private static final Optional<PodTrouble> NO_NODE =
      Optional.of(new PodTrouble(PodTrouble.Kind.NO_NODE, "has no node"));
  private static final Duration WINDOW = Duration.ofMinutes(5);

  @Test
  void rollsBackChangeThatDoesNotServeInTime() {
    var scene = starting();
    scene.settleAfter(Duration.ofMinutes(9));
    assertThat(scene.decide().rolledBack()).isEmpty();

    var late = scene.settleAfter(Duration.ofMinutes(2));
    assertThat(late.rolledBack().get().reason()).isEqualTo("NotServing");
    assertThat(late.rolledBack().get().evidence())
        .containsExactly("hb-rs-2 did not serve within PT10M of its start");

    scene.pod(2, Scene::changed);
    scene.isObserved = false;
    assertThat(scene.settle().rolledBack()).as("once").isEmpty();
    scene.isObserved = true;
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));

    scene.pod(2, it -> Scene.current(Scene.uid(it, "third")));
    assertThat(scene.settle().rolledBack()).as("its deadline begins anew").isEmpty();
    scene.serving(2);
    scene.draining.clear();
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.settle();
    assertThat(scene.restart(2)).isEmpty();
  }

  @Test
  void haltedGroupIsNotRolledBackAgain() {
    var scene = starting();
    scene.halted.add("");

    var late = scene.settleAfter(Duration.ofHours(1));

    assertThat(late.rolledBack()).isEmpty();
    assertThat(late.waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
  }

  @Test
  void haltedGroupIsNotRestarted() {
    var scene = Scene.outdated(3);
    scene.halted.add("");

    scene.settle();

    assertThat(scene.memory.get().restarts()).isEmpty();
  }

  @Test
  void peersWaitForCanary() {
    var scene = watched();

    var decision = scene.settle();

    assertThat(scene.memory.get().canary().get().pod()).isEqualTo("hb-rs-2");
    assertThat(scene.memory.get().restarts()).isEmpty();
    assertThat(decision.waitsFor().get())
        .isEqualTo(new Decision.Wait(Precondition.CANARY_PROVEN, "hb-rs-2"));
  }

  @Test
  void peersRestartWithoutComparisonAfterCanaryPassed() {
    var scene = watched();

    var canary = scene.memory.get().canary().get();
    scene.verdict = new CanaryVerdict.Passed(List.of("as fast"));
    scene.settle();

    assertThat(scene.memory.get().canary()).isEmpty();
    assertThat(scene.memory.get().passed())
        .containsExactly(new Rollout.Passed(canary, List.of("as fast")));
    assertThat(scene.restart(1).get().isCanary()).isFalse();
  }

  @Test
  void rollsBackChangeOfWorseCanary() {
    var scene = watched();

    scene.verdict = new CanaryVerdict.Worse(List.of("slow"));
    var decision = scene.settle();

    assertThat(decision.rolledBack())
        .contains(new Decision.RolledBack("", "CanaryWorse", List.of("slow")));
    assertThat(scene.memory.get().restarts()).isEmpty();
    scene.pod(0, Scene::current).pod(1, Scene::current).pod(2, Scene::changed);
    scene.verdict = new CanaryVerdict.Open();
    scene.settle();
    assertThat(scene.restart(2)).isPresent();
    assertThat(scene.restart(2).get().isCanary()).as("back to the spec of its peers").isFalse();
  }

  @Test
  void groupWaitsForCanaryWithoutPod() {
    var scene = Scene.outdated(5).rules(2, Optional.of(WINDOW), false, true);
    scene.settle();
    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-4");
    scene.draining.add(rs(4));
    scene.holds(4);
    scene.settle();
    scene.settle();
    scene.pods.remove("hb-rs-4");
    scene.living.remove("hb-rs-4");

    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-4");
  }

  @Test
  void canaryWaitsForCanaryOfAnotherGroup() {
    var scene = watched();
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      scene.add("archive", ordinal);
    }
    scene.rules(2, Optional.of(WINDOW), false, true);

    scene.settle();

    assertThat(scene.memory.get().restarts()).isEmpty();
    assertThat(scene.memory.get().canary().get().pod()).isEqualTo("hb-rs-2");
  }

  @Test
  void requestedRestartHasNoCanary() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.pods.replaceAll(
        (name, it) ->
            new ServerPod(
                name,
                it.uid(),
                "",
                it.ordinal(),
                true,
                false,
                true,
                false,
                false,
                0,
                false,
                Optional.empty()));

    scene.settle();

    assertThat(scene.restart(2).get().isCanary()).isFalse();
  }

  /** The operator was stopped for as long as the pod may take, or its clock has jumped. */
  @Test
  void timeWithoutOperatorDoesNotCountAgainstDeadline() {
    var scene = starting();
    scene.now = scene.now.plus(Duration.ofHours(9));
    scene.watched = scene.now;
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();

    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack()).isPresent();
  }

  /** The pod was created before the StatefulSet's controller had seen the change. */
  @Test
  void podOfOlderTemplateIsReplacedWithoutRollback() {
    var scene = starting();
    scene.pod(2, it -> Scene.ready(Scene.changed(it)));
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions())
        .as("its server may be live soon")
        .noneMatch(DeletePod.class::isInstance);

    var late = scene.settleAfter(Duration.ofMinutes(2));

    assertThat(late.rolledBack()).isEmpty();
    assertThat(late.actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));
  }

  /** Its server may run, with regions. */
  @Test
  void podOfOlderTemplateIsNotReplacedWhileItsNodeIsSilent() {
    var scene = startingWith(PodTrouble.Kind.SILENT_NODE).pod(2, Scene::changed);
    scene.doesHBaseRespond = false;

    assertThat(scene.settleAfter(Duration.ofHours(1)).actions())
        .noneMatch(DeletePod.class::isInstance);
  }

  @Test
  void deletingStartingPodRollsBackNoChange() {
    var scene = starting();
    scene.settleAfter(Duration.ofMinutes(9));
    scene.pod(2, Scene::terminating);

    assertThat(scene.settleAfter(Duration.ofMinutes(20)).rolledBack()).isEmpty();
  }

  /** If no node has room for the pod, the rollout waits. */
  @Test
  void podWithoutNodeRollsBackNoChange() {
    var scene = starting();
    scene.pod(
        2,
        it ->
            new ServerPod(
                it.name(), it.uid(), "", 2, false, false, false, false, false, 0, false, NO_NODE));

    var late = scene.settleAfter(Duration.ofDays(2));

    assertThat(late.rolledBack()).isEmpty();
    assertThat(late.waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
    assertThat(late.waitsFor().get().text()).contains("hb-rs-2, which has no node");
  }

  @Test
  void rollsBackChangeAtOnceIfPodCannotStart() {
    var scene = startingWith(PodTrouble.Kind.EXITS);

    var back = scene.settle().rolledBack().get();

    assertThat(back.reason()).isEqualTo("CannotStart");
    assertThat(back.evidence()).containsExactly("hb-rs-2 has a reason");
  }

  @ParameterizedTest
  @CsvSource({"NO_IMAGE, 110", "NO_CONTAINER, 25"})
  void waitsForTransientProblem(PodTrouble.Kind kind, int seconds) {
    var scene = startingWith(kind);

    assertThat(scene.settleAfter(Duration.ofSeconds(seconds)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofSeconds(20)).rolledBack().get().reason())
        .isEqualTo("CannotStart");
  }

  @Test
  void keepsChangeIfServerWithoutItFailsToo() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.pod(1, Scene::unready);
    assertThat(scene.settle().rolledBack()).isEmpty();

    scene.pod(1, Scene::ready);
    assertThat(scene.settle().rolledBack()).isPresent();
  }

  @Test
  void keepsChangeWhileInfrastructureIsNotReady() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.isInfrastructureReady = false;
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.isInfrastructureReady = true;
    scene.doesHBaseRespond = false;
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.doesHBaseRespond = true;
    scene.active = Optional.empty();
    assertThat(scene.settle().rolledBack()).isEmpty();

    scene.active = Optional.of(Scene.master(0));
    assertThat(scene.settle().rolledBack()).isPresent();
  }

  /** Processes that wait for ZooKeeper exit after minutes, and Kubernetes restarts them later. */
  @Test
  void exitsOfAnOutageAreNoEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.pod(2, it -> exited(it, 1));
    scene.settleAfter(Duration.ofMinutes(5));
    scene.pod(2, it -> exited(it, 2));
    scene.settle();

    scene.infrastructure(true);
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.pod(2, it -> exited(it, 3));
    assertThat(scene.settle().rolledBack()).as("began in the outage").isEmpty();
    scene.pod(2, it -> exited(it, 4));
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.pod(2, it -> exited(it, 5));
    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  @Test
  void exitsOfAPodAfterAnOutageAreEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.infrastructure(true);
    scene.settle();
    scene.pod(2, it -> Scene.uid(it, "next"));
    scene.settle();
    scene.settle();

    scene.pod(2, it -> exited(it, 2));
    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  /** A sidecar, or what runs before the server, waits for no dependency. */
  @Test
  void exitsOfOtherContainersAfterAnOutageAreEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.infrastructure(true);
    scene.settle();
    scene.pod(2, it -> Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has a reason")));

    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  private static ServerPod exited(ServerPod it, int times) {
    return ServerPodBuilder.builder(
            Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has ended " + times + " times")))
        .restarts(times)
        .build();
  }

  @Test
  void keepsProvenChangeIfPodCannotStart() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.proven.add("");

    assertThat(scene.settle().rolledBack()).isEmpty();
  }

  @Test
  void rollsBackChangeAtOnceIfReplacedPodCannotStart() {
    var scene =
        Scene.outdated(3)
            .rules(1, Optional.of(WINDOW), false, true)
            .pod(1, it -> Scene.unready(Scene.current(it)));
    scene.living.remove("hb-rs-1");
    scene.settle();
    scene.pod(1, it -> Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has a reason")));

    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  @Test
  void keepsChangeOfReadyPodWhileHBaseDoesNotRespond() {
    var scene = starting();
    scene.pod(2, Scene::ready);
    scene.doesHBaseRespond = false;
    assertThat(scene.settleAfter(Duration.ofMinutes(30)).rolledBack()).isEmpty();

    scene.doesHBaseRespond = true;
    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("NotServing");
  }

  @Test
  void rolledBackGroupIsNotRolledBackAgain() {
    var scene = starting();
    scene.rolledBack.add("");

    var late = scene.settleAfter(Duration.ofHours(1));

    assertThat(late.rolledBack()).isEmpty();
    assertThat(late.waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
  }

  @Test
  void waitsForCanaryWithoutPod() {
    var scene = watched();
    var pod = scene.pods.remove("hb-rs-2");
    scene.living.remove("hb-rs-2");
    scene.verdict = new CanaryVerdict.Worse(List.of("not alive"));

    assertThat(scene.settleAfter(Duration.ofDays(2)).rolledBack()).isEmpty();
    assertThat(scene.memory.get().canary()).isPresent();
    assertThat(scene.memory.get().restarts()).isEmpty();

    scene.pods.put("hb-rs-2", Scene.unready(Scene.uid(pod, "third")));
    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();
    scene.serving(2);
    scene.verdict = new CanaryVerdict.Open();
    scene.settle();
    assertThat(scene.memory.get().canary().get().uid()).isEqualTo("third");
    assertThat(scene.memory.get().canary().get().since()).isEqualTo(scene.now.minusSeconds(1));
  }

  @Test
  void drainOfCanaryNodeIsNoVerdict() {
    var scene = watched().pod(2, Scene::terminating);
    scene.verdict = new CanaryVerdict.Worse(List.of("not alive"));

    assertThat(scene.settle().rolledBack()).isEmpty();
    assertThat(scene.memory.get().canary()).isPresent();
  }

  @Test
  void firstLossOfItsNodeBeginsComparisonAnew() {
    var scene = lost();

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    scene.serving(2);
    scene.settle();

    var canary = scene.memory.get().canary().get();
    assertThat(canary.uid()).isEqualTo(scene.pods.get("hb-rs-2").uid());
    assertThat(canary.since()).isEqualTo(scene.now.minusSeconds(1));
    assertThat(canary.nodeLosses()).isEqualTo(1);
  }

  /** A change may let a server start once, and not again. */
  @Test
  void lostCanaryThatDoesNotStartAgainRollsChangeBack() {
    var scene = lost();
    assertThat(scene.settleAfter(Duration.ofMinutes(11)).rolledBack().get().reason())
        .isEqualTo("NotServing");

    var failing = lost();
    failing.pod(2, it -> Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has a reason")));
    assertThat(failing.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  /** A change may end its node each time. */
  @Test
  void secondLossOfItsNodeRollsChangeBack() {
    var scene = lost();
    scene.pod(2, it -> Scene.uid(it, "third"));
    scene.serving(2);
    scene.settle();

    scene.verdict = new CanaryVerdict.NodeLost("its node ceased to report it");

    assertThat(scene.settle().rolledBack())
        .contains(
            new Decision.RolledBack(
                "", "NodeLost", List.of("hb-rs-2 was lost 2 times: its node ceased to report it")));
  }

  /** Its server still runs; each node that it comes to may be silenced. */
  @Test
  void deletionFromSilentNodeIsALossOfItsNode() {
    var silent = new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node");
    var scene = watched().pod(2, it -> Scene.with(Scene.unready(it), silent));
    assertThat(scene.settle().rolledBack()).isEmpty();
    assertThat(scene.memory.get().canary().get().nodeLosses()).isZero();

    scene.pod(2, Scene::terminating);
    scene.settle();
    scene.settle();

    assertThat(scene.memory.get().canary().get().nodeLosses()).isEqualTo(1);
  }

  /** The kubelet deletes an evicted pod at once, which is hardly ever seen. */
  @Test
  void podThatIsReplacedUnseenIsALossOfItsNode() {
    var scene = watched();
    for (var uid : List.of("second", "third")) {
      scene.pod(2, it -> Scene.uid(it, uid));
      var decision = scene.settle();
      if (uid.equals("second")) {
        assertThat(decision.rolledBack()).isEmpty();
        assertThat(scene.memory.get().canary().get().uid()).isEqualTo("second");
        assertThat(scene.memory.get().canary().get().nodeLosses()).isEqualTo(1);
      } else {
        assertThat(decision.rolledBack().get().reason()).isEqualTo("NodeLost");
      }
    }
  }

  @Test
  void podThatIsReplacedWithoutAnOperatorIsNoLoss() {
    var scene = watched().pod(2, it -> Scene.uid(it, "second"));
    scene.watched = scene.now;
    scene.settle();

    assertThat(scene.memory.get().canary().get().uid()).isEqualTo("second");
    assertThat(scene.memory.get().canary().get().nodeLosses()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void evictionIsALossOfItsNode(boolean isTerminating) {
    var scene =
        watched()
            .pod(
                2,
                it ->
                    Scene.with(
                        isTerminating ? Scene.terminating(it) : Scene.unready(it),
                        new PodTrouble(PodTrouble.Kind.EVICTED, "was ended by its node")));
    scene.settle();

    assertThat(scene.memory.get().canary().get().nodeLosses()).isEqualTo(1);
  }

  /** Its own pod, or its deletion by a person or a drain, was seen. */
  @Test
  void podWhoseDeletionIsSeenIsNoLoss() {
    var scene = watched().pod(2, Scene::terminating);
    scene.living.remove("hb-rs-2");
    scene.settle();
    scene.replaced(2).serving(2);
    scene.settle();

    var canary = scene.memory.get().canary().get();
    assertThat(canary.uid()).isEqualTo(scene.pods.get("hb-rs-2").uid());
    assertThat(canary.nodeLosses()).isZero();
  }

  /** The change may have ended its node: no other server gets it, as one that is down might. */
  @Test
  void serverThatIsDownGetsNoChangeOfALostCanary() {
    var scene = lost().pod(0, Scene::unready);
    scene.living.remove("hb-rs-0");
    var held = scene.settle();

    assertThat(scene.restart(0)).isEmpty();
    assertThat(held.rolledBack()).isEmpty();
  }

  @Test
  void silentNodeRollsNoChangeBackWhileItsPodStarts() {
    var scene = startingWith(PodTrouble.Kind.SILENT_NODE);

    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();
  }

  /** Its pod was lost while its regions returned, and waits for a node. */
  @Test
  void canaryThatDoesNotServeAtTheEndOfItsRestartIsNotComparedYet() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.serving(2);
    scene.draining.clear();
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(ServerRestart.Step.RETURN);
    scene.living.remove("hb-rs-2");
    scene.pod(
        2,
        it ->
            ServerPodBuilder.builder(Scene.uid(it, "third"))
                .isReady(false)
                .trouble(NO_NODE)
                .build());

    scene.settleAfter(Duration.ofMinutes(11));

    assertThat(scene.memory.get().canary().get().hasServed()).isFalse();
    assertThat(scene.settleAfter(Duration.ofDays(1)).rolledBack()).isEmpty();
  }

  /** Its sidecars have ended with the node too, again and again. */
  @Test
  void endWithItsNodeIsNoFailedStart() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.pod(2, it -> ServerPodBuilder.builder(it).isEndedByNode(true).build());

    assertThat(scene.settle().rolledBack()).isEmpty();
  }

  /** The pod waited for a node for longer than a start may take. */
  @Test
  void startBeginsWithTheNode() {
    var scene = startingWith(PodTrouble.Kind.NO_NODE);
    assertThat(scene.settleAfter(Duration.ofDays(1)).rolledBack()).isEmpty();
    scene.pod(2, it -> ServerPodBuilder.builder(it).trouble(Optional.empty()).build());

    assertThat(scene.settle().rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  /** It waits for them, or cannot register; its change is not to blame. */
  @Test
  void outageOfInfrastructureIsNoPartOfAStart() {
    var scene = starting();
    assertThat(scene.settleAfter(Duration.ofMinutes(8)).rolledBack()).isEmpty();
    scene.infrastructure(false);
    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();

    scene.infrastructure(true);
    assertThat(scene.settle().rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(1)).rolledBack()).isEmpty();
    var late = scene.settleAfter(Duration.ofMinutes(2)).rolledBack();
    assertThat(late.get().reason()).isEqualTo("NotServing");
    assertThat(late.get().evidence())
        .containsExactly("hb-rs-2 did not serve within PT10M of its start");
  }

  /**
   * Each outage is shorter than the time that a start may take. Of three minutes two count: in the
   * first one the outage ended.
   */
  @Test
  void infrastructureThatServesNowAndThenLeavesADeadline() {
    var scene = starting();
    for (int i = 0; i < 3; i++) {
      scene.infrastructure(false);
      assertThat(scene.settleAfter(Duration.ofMinutes(5)).rolledBack()).isEmpty();
      scene.infrastructure(true);
      assertThat(scene.settleAfter(Duration.ofMinutes(3)).rolledBack()).isEmpty();
    }

    assertThat(scene.settleAfter(Duration.ofMinutes(5)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  /** One of three servers of ZooKeeper may never recover: the others serve. */
  @Test
  void infrastructureThatServesWithoutOneOfItsPodsDelaysNoDeadline() {
    var scene = starting();
    scene.isInfrastructureReady = false;

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  @Test
  void outageOfInfrastructureIsNoPartOfTheNextStartOfALostCanary() {
    var scene = lost().infrastructure(false);
    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();

    scene.infrastructure(true);
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  /** If both switches were off before, the rollout could end in the same reconciliation. */
  @Test
  void passedCanaryIsStoredBeforeTheRolloutEnds() {
    var scene = watched();
    scene.memory =
        scene.memory.map(it -> it.withBefore(Optional.of(new Rollout.Switches(false, false))));

    scene.verdict = new CanaryVerdict.Passed(List.of("as fast"));
    scene.settle();

    assertThat(scene.proven).contains("");
    assertThat(scene.restart(1)).isPresent();
  }

  @Test
  void surplusAndForeignPodsAreNoEvidenceForAChange() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    var peer = scene.pods.get("hb-rs-1");
    scene.pods.put(
        "hb-rs-7",
        ServerPodBuilder.builder(Scene.surplus(Scene.unready(peer))).name("hb-rs-7").build());
    scene.pods.put(
        "hb-rs-01", ServerPodBuilder.builder(Scene.unready(peer)).name("hb-rs-01").build());

    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  @Test
  void requestedRestartEndsNoComparison() {
    var scene = watched();
    scene.pod(
        2,
        it ->
            new ServerPod(
                it.name(),
                it.uid(),
                "",
                2,
                true,
                false,
                true,
                false,
                false,
                it.restarts(),
                it.isEndedByNode(),
                Optional.empty()));
    scene.settle();
    assertThat(scene.memory.get().canary()).isPresent();

    scene.pod(2, Scene::changed);
    scene.settle();
    assertThat(scene.memory.get().canary()).isEmpty();
  }

  @Test
  void replacedPodWithChangeIsCompared() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true).pod(1, Scene::current);

    var decision = scene.settle();

    assertThat(scene.memory.get().canary().get().pod()).isEqualTo("hb-rs-1");
    assertThat(scene.memory.get().restarts()).isEmpty();
    assertThat(decision.waitsFor().get().blocker()).isEqualTo(Precondition.CANARY_PROVEN);
    scene.verdict = new CanaryVerdict.Passed(List.of("as fast"));
    scene.settle();
    assertThat(scene.restart(2)).isPresent();
    assertThat(scene.restart(2).get().isCanary()).isFalse();
  }

  @Test
  void rollsBackChangeIfReplacedPodDoesNotServe() {
    var scene =
        Scene.outdated(3)
            .rules(1, Optional.of(WINDOW), false, true)
            .pod(1, it -> Scene.unready(Scene.current(it)));
    scene.living.remove("hb-rs-1");

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();

    assertThat(scene.settleAfter(Duration.ofMinutes(11)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  @Test
  void provenChangeContinuesWithoutCanary() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true).pod(1, Scene::current);
    scene.proven.add("");

    scene.settle();

    assertThat(scene.memory.get().canary()).isEmpty();
    assertThat(scene.restart(2)).isPresent();
  }

  @Test
  void rollsBackChangeIfDeletedPodDoesNotServe() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.goodBefore.add("");
    scene.pod(1, Scene::terminating);
    scene.settle();
    assertThat(scene.restart(1).get().cause()).isEqualTo(ServerRestart.Cause.POD_DELETED);
    scene.replaced(1);
    scene.settle();

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  /** It had to be replaced while it did not serve, and serves when HBase responds again. */
  @Test
  void deletedPodThatServesAgainGetsNoUnprovenChange() {
    var scene = Scene.upToDate().rules(1, Optional.of(WINDOW), false, true);
    scene.pod(2, Scene::terminating);
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.pod(2, Scene::changed).pod(2, Scene::unready).pod(0, Scene::changed);
    scene.isObserved = false;
    scene.settle();
    scene.isObserved = true;
    scene.doesHBaseRespond = false;
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(ServerRestart.Step.STOP);
    assertThat(scene.restart(2).get().cause()).isEqualTo(ServerRestart.Cause.POD_DELETED);

    scene.serving(2);
    scene.doesHBaseRespond = true;

    assertThat(scene.settle().actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(scene.restart(2)).isEmpty();
  }

  /** A pod without a node may wait for days. */
  @Test
  void restoresBalancerWhilePodDoesNotStart() {
    var scene = starting();
    scene.rolledBack.add("");
    scene.settle();
    assertThat(scene.memory.get().before()).isPresent();

    var late = scene.settleAfter(Duration.ofMinutes(30));
    assertThat(late.actions())
        .contains(
            SentCommands.send(new HBaseCommand.SwitchBalancer(true)),
            SentCommands.send(new HBaseCommand.SwitchNormalizer(true)));
    scene.balancer = true;
    scene.normalizer = true;
    scene.settle();
    assertThat(scene.memory.get().before()).isEmpty();
    assertThat(scene.restart(2)).isPresent();

    scene.serving(2);
    var back = scene.settle();
    assertThat(scene.memory.get().before()).contains(new Rollout.Switches(true, true));
    assertThat(back.actions()).contains(SentCommands.send(new HBaseCommand.SwitchBalancer(false)));
  }

  /** The canary's node was lost, for the first time. */
  private static Scene lost() {
    var scene = watched().pod(2, Scene::unready);
    var before = scene.memory;
    scene.living.remove("hb-rs-2");
    scene.verdict = new CanaryVerdict.NodeLost("its node ceased to report it");
    scene.settle();
    assertThat(scene.memory.get().canary().get().uid()).isEmpty();
    assertThat(RolloutNews.of(before, scene.memory).events())
        .extracting(RolloutNews.Event::reason)
        .containsExactly("CanaryNodeLost");
    scene.verdict = new CanaryVerdict.Open();
    return scene;
  }

  /** The new pod of server 2 does not serve. */
  private static Scene startingWith(PodTrouble.Kind kind) {
    var scene = starting();
    scene.pod(2, it -> Scene.with(it, new PodTrouble(kind, "has a reason")));
    return scene;
  }

  private static Scene starting() {
    var scene = Scene.draining().holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    return scene;
  }

  /** Server 2, the canary, was restarted and has its regions back. */
  static Scene watched() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.settle();
    assertThat(scene.restart(2).get().isCanary()).isTrue();
    scene.draining.add(rs(2));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.serving(2).holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.draining.clear();
    scene.settle();
    return scene;
  }
}
