package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.CanaryScenes.WINDOW;
import static io.offheap.hbase.operator.rollout.CanaryScenes.watched;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who waits for a canary, and what follows from its verdict. */
class RollerCanaryTest {
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
}
