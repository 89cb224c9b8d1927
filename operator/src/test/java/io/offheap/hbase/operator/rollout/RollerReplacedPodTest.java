package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.CanaryScenes.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers that have a change because their pods were deleted from outside. */
class RollerReplacedPodTest {
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
}
