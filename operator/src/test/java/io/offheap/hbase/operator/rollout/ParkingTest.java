package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.ServerRestart.Cause;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * When balancer and normalizer are set as they were although a rollout is under way. A start may
 * take 10 minutes here, a drain 30.
 */
class ParkingTest {
  private static final Action[] ON = {
    send(new SwitchBalancer(true)), send(new SwitchNormalizer(true))
  };
  private static final Action[] OFF = {
    send(new SwitchBalancer(false)), send(new SwitchNormalizer(false))
  };

  @Test
  void masterThatDoesNotStart() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.settle();
    scene.master(1, it -> Scene.unready(Scene.current(Scene.uid(it, "new"))));

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).containsExactly(ON);
    assertGivenBack(scene);

    scene.master(1, Scene::ready).pod(2, Scene::changed);
    assertThat(scene.settle().actions()).containsExactly(OFF);
  }

  @Test
  void masterThatStaysTerminating() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.settle();
    scene.master(1, Scene::terminating);

    assertThat(scene.settleAfter(Duration.ofMinutes(11)).actions()).containsExactly(ON);
  }

  @Test
  void stoppingServerWhosePodStaysTerminating() {
    var scene = stopping();

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).containsExactly(ON);
    assertGivenBack(scene);
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.STOP);

    scene.replaced(2);
    assertThat(scene.settle().actions()).containsExactly(OFF);
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.START);
  }

  @Test
  void deletedPodThatStaysTerminating() {
    var scene = Scene.upToDate().pod(2, Scene::terminating);
    scene.settle();
    assertThat(scene.restart(2).get().cause()).isEqualTo(Cause.POD_DELETED);
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.DRAIN);
    scene.living.remove("hb-rs-2");

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).containsExactly(ON);
  }

  @Test
  void deletedPodWhoseServerCannotBeDrained() {
    var scene = Scene.upToDate().pod(2, Scene::terminating);
    scene.settle();

    assertThat(scene.settleAfter(Duration.ofMinutes(29)).actions()).doesNotContain(ON);
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).contains(ON);
  }

  @Test
  void canaryThatReportsNoMetrics() {
    var scene = Scene.upToDate().rules(1, Optional.of(Duration.ofMinutes(5)), false, true);
    scene.pod(0, Scene::changed);
    scene.memory =
        scene.memory.map(
            it -> it.withCanary(Optional.of(Rollout.Canary.serving(server2(scene), scene.now))));

    assertThat(scene.settleAfter(Duration.ofMinutes(19)).actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).containsExactly(ON);
    assertGivenBack(scene);

    scene.verdict = new CanaryVerdict.Passed(List.of());
    assertThat(scene.settle().actions()).containsExactly(OFF);
  }

  @Test
  void canaryThatWasLostWithItsNode() {
    var scene = Scene.upToDate().rules(1, Optional.of(Duration.ofMinutes(5)), false, true);
    scene.pod(0, Scene::changed).pod(2, Scene::terminating);
    scene.living.remove("hb-rs-2");
    scene.memory =
        scene.memory.map(
            it ->
                it.withCanary(
                    Optional.of(
                        Rollout.Canary.serving(server2(scene), scene.now).lost(scene.now))));

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions()).containsExactly(ON);
  }

  /** Its server waits for the switches alone, behind one that waits for the parked canary. */
  @Test
  void anotherGroupContinuesBesideAParkedCanary() {
    var scene = Scene.upToDate().rules(1, Optional.of(Duration.ofMinutes(5)), false, true);
    scene.pod(0, Scene::changed);
    scene.add("zebra", 0).add("zebra", 1).proven.add("zebra");
    scene.pods.replaceAll((name, it) -> name.equals("hb-zebra-0") ? Scene.current(it) : it);
    scene.memory =
        scene.memory.map(
            it ->
                it.withBefore(Optional.empty())
                    .withCanary(Optional.of(Rollout.Canary.serving(server2(scene), scene.now))));
    scene.balancer = true;
    scene.now = scene.now.plus(Duration.ofMinutes(21));

    assertThat(scene.settle().actions()).contains(send(new SwitchBalancer(false)));
    scene.balancer = false;
    scene.settle();
    assertThat(scene.memory.get().restartOf("hb-zebra-1")).isPresent();
  }

  /** One step may take longer, and moves regions. */
  @Test
  void isNotParkedWhileOneStepMayContinue() {
    var scene = stopping();
    scene.now = scene.now.plus(Duration.ofMinutes(11));
    scene.rules(2, Optional.empty(), false, true).pod(0, Scene::terminating);

    scene.settle();

    assertThat(scene.restart(0).get().step()).isEqualTo(Step.DRAIN);
    assertThat(scene.settle().actions()).doesNotContain(ON);
  }

  @Test
  void timeWithoutOperatorDoesNotCount() {
    var scene = stopping();
    scene.now = scene.now.plus(Duration.ofHours(9));
    scene.watched = scene.now;

    assertThat(scene.settle().actions()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(11)).actions()).containsExactly(ON);
  }

  /** Both are stored as empty once they are as they were; the step continues. */
  private static void assertGivenBack(Scene scene) {
    scene.balancer = true;
    scene.normalizer = true;
    scene.settle();
    assertThat(scene.memory.get().before()).isEmpty();
    assertThat(scene.memory.get().isUnderWay()).isTrue();
  }

  /** Server 2 is drained, and its pod does not end. */
  private static Scene stopping() {
    var scene = Scene.draining().holds(2);
    scene.settle();
    scene.settle();
    scene.pod(2, Scene::terminating);
    scene.living.remove("hb-rs-2");
    scene.draining.remove(rs(2));
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.STOP);
    return scene;
  }

  private static ServerPod server2(Scene scene) {
    return scene.pods.get("hb-rs-2");
  }
}
