package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Precondition.HBASE_RESPONDS;
import static io.offheap.hbase.operator.rollout.Precondition.INFRASTRUCTURE_READY;
import static io.offheap.hbase.operator.rollout.Precondition.INSIDE_WINDOW;
import static io.offheap.hbase.operator.rollout.Precondition.NOT_PAUSED;
import static io.offheap.hbase.operator.rollout.Precondition.NO_OTHER_DISTURBANCE;
import static io.offheap.hbase.operator.rollout.Precondition.POD_ADMITTED;
import static io.offheap.hbase.operator.rollout.Precondition.TEMPLATES_OBSERVED;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How masters are restarted. */
class RollerMastersTest {
  /** A spec with which no master starts, and fewer masters, were declared during its restart. */
  @Test
  void removedMasterHoldsNoBrokenMasterBack() {
    var scene = Scene.upToDate().master(0, it -> Scene.unready(Scene.changed(it)));
    scene.memory =
        scene.memory.map(
            it ->
                it.withMaster(
                    Optional.of(
                        new Rollout.MasterRestart(
                            "hb-master-2", "removed", Optional.empty(), Scene.START))));
    scene.active = Optional.empty();
    scene.settle();

    assertThat(scene.memory.get().master().get().pod()).isEqualTo("hb-master-0");
  }

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
            "hb-master-0",
            "new",
            "",
            0,
            false,
            false,
            true,
            false,
            false,
            0,
            false,
            Optional.empty()));
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

  /** Its new pod would wait for the name node, and a good backup would be missing. */
  @Test
  void masterThatServesWaitsForZooKeeperAndHdfs() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.isInfrastructureReady = false;
    scene.doesInfrastructureServe = false;

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.INFRASTRUCTURE_READY, ""));
    scene.master(1, Scene::unready);
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  /** A data node whose node is lost may not be back for days. */
  @Test
  void masterDoesNotWaitForALostDataNode() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    scene.isInfrastructureReady = false;

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  /** Hours may pass until the next operator finds what the last one has stored. */
  @ParameterizedTest
  @MethodSource
  void storedRestartOfAMasterIsCancelled(Decision.Wait wait, Consumer<Scene> change) {
    var scene = stored();
    change.accept(scene);

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor()).contains(wait);
    assertThat(scene.memory.flatMap(Rollout::master)).isEmpty();
  }

  static Stream<Arguments> storedRestartOfAMasterIsCancelled() {
    return Stream.of(
        cancelled(INFRASTRUCTURE_READY, "", it -> it.doesInfrastructureServe = false),
        cancelled(NO_OTHER_DISTURBANCE, "hb-master-0", it -> it.master(0, Scene::unready)),
        cancelled(
            NO_OTHER_DISTURBANCE, "a master is missing", it -> it.masters.remove("hb-master-0")),
        cancelled(TEMPLATES_OBSERVED, "", it -> it.isObserved = false),
        cancelled(NOT_PAUSED, "", it -> it.rules(1, Optional.empty(), true, true)),
        cancelled(INSIDE_WINDOW, "hb-master-1", it -> it.rules(1, Optional.empty(), false, false)),
        cancelled(
            POD_ADMITTED, "hb-master-1, denied", it -> it.refusedPods.put("hb-master-1", "denied")),
        cancelled(HBASE_RESPONDS, "", it -> it.doesHBaseRespond = false));
  }

  /** An annotation is removed again, or a change is reverted. */
  @Test
  void masterThatIsAsDeclaredIsNotDeleted() {
    var scene = stored().master(1, Scene::current);

    assertThat(scene.settle().actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(scene.memory.flatMap(Rollout::master)).isEmpty();
  }

  /** It was stored as a backup: nothing would wait for another master to take over. */
  @Test
  void restartOfAMasterThatHasBecomeActiveBeginsAnew() {
    var scene = stored();
    scene.active = Optional.of(Scene.master(1));
    scene.backups.add(server("hb-master-0", 2));

    scene.settle();

    assertThat(scene.memory.flatMap(Rollout::master).flatMap(Rollout.MasterRestart::server))
        .contains(Scene.master(1));
  }

  private static Arguments cancelled(Blocker blocker, String subject, Consumer<Scene> change) {
    return Arguments.of(new Decision.Wait(blocker, subject), change);
  }

  /** The restart of master 1 is stored, and its pod is to be deleted. */
  private static Scene stored() {
    var scene = Scene.upToDate().master(1, Scene::changed);
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
    assertThat(scene.memory.flatMap(Rollout::master)).isPresent();
    return scene;
  }

  @Test
  void cancelledRestartOfAMasterBeginsAgain() {
    var scene = stored();
    scene.doesInfrastructureServe = false;
    scene.settle();
    scene.doesInfrastructureServe = true;

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  /** Its restart takes nothing, and another spec may be what it needs. */
  @Test
  void storedRestartOfABrokenMasterWaitsForNothing() {
    var scene = stored().master(1, Scene::unready);
    scene.doesInfrastructureServe = false;
    scene.doesHBaseRespond = false;
    scene.rules(1, Optional.empty(), false, false);

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void masterThatStopsIsAwaitedWhateverFailsMeanwhile() {
    var scene = stored().master(1, Scene::terminating);
    scene.doesInfrastructureServe = false;

    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(WaitReason.POD_DELETED, "hb-master-1"));
    assertThat(scene.memory.flatMap(Rollout::master)).isPresent();
  }

  @Test
  void masterThatFailsIsRestartedBeforeTheStoredOne() {
    var scene = stored().master(0, Scene::changed).master(0, Scene::unready);

    assertThat(scene.settle().actions())
        .contains(new DeletePod("hb-master-0", "uid-hb-master-0"))
        .doesNotContain(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void cancelledRestartOfAMasterIsNoProgress() {
    var scene = stored();
    var before = scene.memory;
    scene.doesInfrastructureServe = false;
    var cancelled = scene.decide().remembered();
    assertThat(RolloutNews.of(before, cancelled).events()).isEmpty();
    scene.memory = cancelled;
    var after = scene.decide().remembered();

    var news = RolloutNews.of(cancelled, after);

    assertThat(news.events())
        .containsExactly(
            new RolloutNews.Event("MasterNotRestarted", false, "hb-master-1 is not restarted now"));
    assertThat(news.mastersRestarted()).isEmpty();
    assertThat(RolloutNews.hasAdvanced(cancelled, after)).isFalse();
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

  /** It may serve again by itself, once the name node does; a pod that is missing does not. */
  @Test
  void brokenMasterWhoseNextPodIsRefusedIsNotDeleted() {
    var refused = new Decision.Wait(POD_ADMITTED, "hb-master-1, denied the request");
    var scene = stored().master(1, Scene::unready);
    scene.refusedPods.put("hb-master-1", "denied the request");
    scene.rules(1, Optional.empty(), false, false);

    var decision = scene.settle();

    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
    assertThat(decision.waitsFor()).contains(refused);
    assertThat(scene.memory.flatMap(Rollout::master)).isEmpty();
    scene.refusedPods.clear();
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void brokenMasterWaitsForNoRegionServer() {
    var scene = Scene.outdated(3).master(1, Scene::changed).master(1, Scene::unready);
    scene.doesHBaseRespond = false;

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }
}
