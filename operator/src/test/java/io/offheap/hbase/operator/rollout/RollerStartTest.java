package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.CanaryScenes.NO_NODE;
import static io.offheap.hbase.operator.rollout.CanaryScenes.starting;
import static io.offheap.hbase.operator.rollout.CanaryScenes.startingWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rollback of a change whose server does not start, and what is no reason for one. */
class RollerStartTest {
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
  void keepsProvenChangeIfPodCannotStart() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.proven.add("");

    assertThat(scene.settle().rolledBack()).isEmpty();
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
  void silentNodeRollsNoChangeBackWhileItsPodStarts() {
    var scene = startingWith(PodTrouble.Kind.SILENT_NODE);

    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();
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
}
