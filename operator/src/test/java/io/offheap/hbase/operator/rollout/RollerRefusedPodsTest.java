package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@link Roller} does where the API server would refuse a pod, as a full quota does. */
class RollerRefusedPodsTest {
  /** No region moves and no switch changes for a pod that would be refused. */
  @Test
  void serverWithRefusedPodIsNotDrained() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.empty();
    scene.balancer = true;
    scene.pods.keySet().forEach(it -> scene.refusedPods.put(it, "exceeded quota: q"));

    var decision = scene.settle();

    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.POD_ADMITTED, "hb-rs-2, exceeded quota: q"));
    assertThat(decision.actions()).isEmpty();
    assertThat(scene.memory.flatMap(Rollout::before)).isEmpty();

    scene.refusedPods.clear();
    scene.settle();

    assertThat(scene.memory.flatMap(Rollout::before)).isPresent();
  }

  /** Its drain may take long, and a quota be filled meanwhile. */
  @Test
  void serverWhoseNextPodIsRefusedAfterItsDrainGetsItsRegionsBack() {
    var scene = drained();
    scene.pods.keySet().forEach(it -> scene.refusedPods.put(it, "exceeded quota: q"));

    var decision = scene.settle();

    assertThat(scene.restart(2).get().step()).isEqualTo(Step.RETURN);
    assertThat(scene.restart(2).get().cancelled()).contains(ServerRestart.Cancellation.NOT_WANTED);
    assertThat(decision.actions()).containsExactly(send(new Recommission(rs(2))));

    scene.draining.clear();
    scene.living.put("hb-rs-2", new HBaseView.Server(rs(2), 0));
    assertThat(moved(scene.settle())).containsExactly("hb-rs-2-a", "hb-rs-2-b");

    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(Precondition.POD_ADMITTED, "hb-rs-2, exceeded quota: q"));
  }

  @Test
  void serverOnASilentNodeWhoseNextPodIsRefusedGetsItsRegionsBack() {
    var scene = drained();
    var silent = new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node");
    scene.pod(2, it -> Scene.with(Scene.unready(it), silent));
    scene.pods.keySet().forEach(it -> scene.refusedPods.put(it, "exceeded quota: q"));

    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.RETURN);
  }

  /** It may serve again by itself; a pod that is missing does not. */
  @Test
  void brokenServerWhoseNextPodIsRefusedIsNotDeleted() {
    var scene = Scene.outdated(3).rules(1, Optional.empty(), false, false);
    broken(scene, 2);
    scene.refusedPods.put("hb-rs-2", "exceeded quota: q");

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.POD_ADMITTED, "hb-rs-2, exceeded quota: q"));
    scene.refusedPods.clear();
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));
  }

  /** The spec was changed since the pod that does not serve was made. */
  @Test
  void startingServerWhoseNextPodIsRefusedIsNotDeleted() {
    var scene = drained();
    scene.replaced(2).pod(2, Scene::changed);
    scene.refusedPods.put("hb-rs-2", "exceeded quota: q");

    var decision = scene.settle();

    assertThat(scene.restart(2).get().step()).isEqualTo(Step.START);
    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(WaitReason.SERVES_AGAIN, "hb-rs-2, exceeded quota: q"));
    scene.refusedPods.clear();
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));
  }

  private static void broken(Scene scene, int ordinal) {
    scene.pod(ordinal, Scene::unready);
    scene.living.remove(Scene.name("", ordinal));
    scene.regions.remove(Scene.name("", ordinal));
  }

  /** Nothing is lost with it, whenever the pod that follows is created. */
  @Test
  void serverThatServesNothingIsReplacedByAPodThatIsRefused() {
    var scene = drained();
    scene.refusedPods.put("hb-rs-2", "exceeded quota: q");
    broken(scene, 2);

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));
  }

  /** Server 2 of three was drained, and is about to be stopped. */
  private static Scene drained() {
    var scene = Scene.draining();
    scene.holds(2).settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.STOP);
    return scene;
  }

  @Test
  void reportsApiServersMessageForMissingPod() {
    var scene = Scene.outdated(3);
    scene.settle();
    scene.living.remove("hb-rs-2");
    scene.regions.remove("hb-rs-2");
    scene.pods.remove("hb-rs-2");
    scene.settle();
    scene.refusedPods.put("hb-rs-2", "exceeded quota: q");

    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(WaitReason.SERVES_AGAIN, "hb-rs-2, exceeded quota: q"));
  }
}
