package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How masters are restarted. */
class RollerMastersTest {
  @Test
  void mastersWaitForRegionServers() {
    var scene = Scene.outdated(3).master(1, Scene::changed);

    scene.settle();

    assertThat(scene.memory.get().master()).isEmpty();
    assertThat(scene.restart(2)).isPresent();
  }

  @Test
  void activeMasterRestartsLast() {
    var scene = Scene.upToDate().master(0, Scene::changed).master(1, Scene::changed);
    scene.active = Optional.of(Scene.master(1));
    scene.backups.clear();
    scene.backups.add(Scene.master(0));

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-0", "uid-hb-master-0"));
    scene.masters.remove("hb-master-0");
    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
    scene.masters.put(
        "hb-master-0",
        new ServerPod(
            "hb-master-0", "new", "", 0, false, false, true, false, false, 0, Optional.empty()));
    scene.backups.clear();

    var held = scene.settle();
    assertThat(held.waitsFor())
        .contains(new Decision.Wait(WaitReason.FAILED_OVER, "there is no backup master"));
    scene.backups.add(server("hb-master-0", 2));
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void waitsForFailover() {
    var scene = Scene.upToDate().master(0, Scene::changed);
    scene.settle();
    scene.master(0, it -> Scene.current(Scene.uid(it, "new")));

    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(WaitReason.FAILED_OVER);
    scene.active = Optional.of(Scene.master(1));
    scene.settle();
    assertThat(scene.memory.get().master()).isEmpty();
  }

  @Test
  void masterWaitsWhileAnotherDoesNotServe() {
    var scene = Scene.upToDate().master(0, Scene::changed).master(1, Scene::unready);

    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(Precondition.NO_OTHER_DISTURBANCE, "hb-master-1"));
  }

  /** Its new pod would wait for the name node, and a good backup would be gone. */
  @Test
  void masterThatServesWaitsForZooKeeperAndHdfs() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.isInfrastructureReady = false;

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.INFRASTRUCTURE_READY, ""));
    scene.master(1, Scene::unready);
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void masterWhoseNextPodIsRefusedIsNotDeleted() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.refusedPods.put("hb-master-1", "denied the request");

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.POD_ADMITTED, "hb-master-1, denied the request"));
  }

  @Test
  void brokenMasterWaitsForNoRegionServer() {
    var scene = Scene.outdated(3).master(1, Scene::changed).master(1, Scene::unready);
    scene.doesHBaseRespond = false;

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }
}
