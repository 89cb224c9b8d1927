package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.CanaryScenes.NO_NODE;
import static io.offheap.hbase.operator.rollout.CanaryScenes.lost;
import static io.offheap.hbase.operator.rollout.CanaryScenes.watched;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A canary whose pod is lost or deleted while it is compared. */
class RollerLostCanaryTest {
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

  /** Its pod was lost while its regions returned, and waits for a node. */
  @Test
  void canaryThatDoesNotServeAtTheEndOfItsRestartIsNotComparedYet() {
    var scene = CanaryScenes.replaced();
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
}
