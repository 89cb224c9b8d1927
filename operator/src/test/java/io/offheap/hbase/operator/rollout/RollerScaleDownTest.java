package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.name;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.Rollout.Outcome;
import io.offheap.hbase.operator.rollout.ServerRestart.Cause;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How {@link Roller} removes the servers of surplus pods. */
class RollerScaleDownTest {
  @Test
  void drainsSurplusPodsByDescendingOrdinal() {
    var scene = Scene.outdated(4).rules(1, Optional.empty(), false, false);
    for (int ordinal = 2; ordinal < 4; ordinal++) {
      scene.pod(ordinal, Scene::surplus);
      scene.declared.remove(name("", ordinal));
    }

    assertThat(scene.settle().actions()).containsExactly(send(new Decommission(rs(3))));
    assertThat(scene.restart(3).get().cause()).isEqualTo(Cause.SCALE_DOWN);
    scene.draining.add(rs(3));
    scene.holds(3);
    assertThat(scene.settle().actions()).as("its StatefulSet is scaled down").isEmpty();
    assertThat(scene.restart(3).get().step()).isEqualTo(Step.STOP);

    scene.pods.remove("hb-rs-3");
    scene.living.remove("hb-rs-3");
    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(3))));
    scene.draining.clear();
    scene.settle();
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.SCALED_DOWN);
    assertThat(scene.restart(2)).as("the next").isPresent();
  }

  @Test
  void brokenSurplusPodWaitsForHigherOrdinal() {
    var scene = Scene.outdated(4).pod(2, Scene::surplus).pod(3, Scene::surplus);
    scene.pod(2, Scene::unready);
    scene.declared.removeAll(Set.of("hb-rs-2", "hb-rs-3"));
    scene.living.remove("hb-rs-2");

    scene.settle();

    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-3", "hb-rs-2");
  }

  /** It was being restarted when the other was let go; then each would wait for the other. */
  @Test
  void highestSurplusPodDoesNotWaitForLowerOneThatWaitsForIt() {
    var scene = withLowerSurplusPodLetGo();

    scene.settle();

    assertThat(scene.restart(3).get().cause()).isEqualTo(Cause.SCALE_DOWN);
    assertThat(scene.restart(1)).as("one that stays").isEmpty();
  }

  /** The highest one waits for the broken one, and the lower one for the highest. */
  @Test
  void brokenPodDoesNotWaitForSurplusPodThatAHigherOneKeeps() {
    var scene = withLowerSurplusPodLetGo();
    scene.pod(0, Scene::unready);

    scene.settle();

    assertThat(scene.restart(0).get().cause()).isEqualTo(Cause.RESTART);
  }

  private static Scene withLowerSurplusPodLetGo() {
    var scene = Scene.outdated(4).pod(2, Scene::surplus).pod(3, Scene::surplus);
    scene.pod(2, Scene::unready);
    scene.declared.removeAll(Set.of("hb-rs-2", "hb-rs-3"));
    scene.living.remove("hb-rs-2");
    scene.memory =
        scene.memory.map(
            it ->
                it.plus(
                    ServerRestart.begin(
                        scene.pods.get("hb-rs-2"),
                        "",
                        Cause.SCALE_DOWN,
                        Step.STOP,
                        false,
                        Scene.START)));
    return scene;
  }

  @Test
  void surplusPodDeclaredAgainGetsRegionsBack() {
    var scene = Scene.outdated(3).pod(2, Scene::surplus);
    scene.pod(0, Scene::current).pod(1, Scene::current);
    scene.declared.remove("hb-rs-2");
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();

    scene.pod(2, Scene::declaredAgain);
    scene.declared.add("hb-rs-2");
    scene.holds(2, "hb-rs-2-a");
    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(send(new Move("hb-rs-2-b", rs(2))));
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.settle();

    assertThat(scene.memory.get().restarts()).isEmpty();
    assertThat(scene.memory.get().notBefore()).isEmpty();
  }
}
