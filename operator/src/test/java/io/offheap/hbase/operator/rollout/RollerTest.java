package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.name;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.Rollout.Outcome;
import io.offheap.hbase.operator.rollout.ServerRestart.Cause;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which server {@link Roller} restarts next, and what holds a restart back. */
class RollerTest {
  @Test
  void storesAndDoesNothingIfAllIsUpToDate() {
    var scene = Scene.upToDate();
    scene.memory = Optional.empty();

    assertThat(scene.decide()).isEqualTo(Decision.nothing());
  }

  @Test
  void storesSwitchesThenSetsThemThenRestarts() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.empty();
    scene.balancer = true;

    var begun = scene.settle();

    assertThat(scene.memory.get().before()).contains(new Rollout.Switches(true, false));
    assertThat(begun.actions()).containsExactly(send(new SwitchBalancer(false)));
    assertThat(begun.waitsFor().get().blocker()).isEqualTo(Precondition.BALANCER_OFF);
    scene.balancer = false;
    scene.settle();
    assertThat(scene.restart(2)).isPresent();
  }

  /** A view of a cluster at rest has parts of an earlier view. */
  @Test
  void beginsWithAViewAtRestAndStoresNoSwitchesOfIt() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.empty();
    scene.balancer = true;
    scene.requestedAt = Optional.of(Scene.START.minusSeconds(50));
    scene.serversAt = Optional.of(Scene.START);

    var begun = scene.settle();

    assertThat(begun.waitsFor().get().blocker()).isEqualTo(Precondition.BALANCER_OFF);
    assertThat(scene.memory.get().before()).isEmpty();
    scene.serversAt = Optional.of(scene.now);
    assertThat(scene.settle().actions()).as("the normalizer may have been switched on").isEmpty();
    assertThat(scene.memory.get().before()).isEmpty();

    scene.normalizer = true;
    scene.requestedAt = Optional.empty();
    scene.serversAt = Optional.empty();
    scene.settle();
    assertThat(scene.memory.get().before()).contains(new Rollout.Switches(true, true));
  }

  /** Both may have been switched on since, and a server may have crashed. */
  @Test
  void viewWithOlderPartsBeginsNoRestart() {
    var scene = Scene.outdated(3);
    scene.requestedAt = Optional.of(Scene.START.minusSeconds(20));
    scene.serversAt = Optional.of(Scene.START);

    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(Precondition.BALANCER_OFF);
    assertThat(scene.restart(2)).isEmpty();

    scene.requestedAt = Optional.empty();
    scene.serversAt = Optional.empty();
    scene.settle();
    assertThat(scene.restart(2)).isPresent();
  }

  /** The step has to wait for a view that was requested after it began. */
  @Test
  void viewWithEarlierPartsEndsNoDrain() {
    var scene = Scene.draining();
    scene.holds(2);
    scene.requestedAt = Optional.of(scene.restart(2).get().since().minusSeconds(10));
    scene.serversAt = Optional.of(scene.now);

    scene.settle();

    assertThat(scene.restart(2).get().emptyAt()).isEmpty();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.DRAIN);
  }

  /** If both were off before, the rollout could end in the same reconciliation. */
  @Test
  void lastRestartIsStoredBeforeTheRolloutEnds() {
    var scene = Scene.upToDate();
    var last =
        ServerRestart.of("hb-rs-2", "old", scene.now)
            .server(rs(2))
            .step(Step.RETURN, scene.now.minusSeconds(5))
            .build();
    scene.memory =
        scene.memory.map(
            it ->
                it.withBefore(Optional.of(new Rollout.Switches(false, false)))
                    .withRestarts(List.of(last)));

    scene.now = scene.now.plusSeconds(1);
    var ended = scene.decide();
    assertThat(ended.remembered().get().finished())
        .extracting(Rollout.Finished::pod)
        .containsExactly("hb-rs-2");

    scene.settle();
    assertThat(scene.memory).isEmpty();
  }

  @Test
  void keepsSwitchesOnWhileTooFewServers() {
    var scene = only(Scene.outdated(4), 3);
    scene.memory = Optional.empty();
    scene.balancer = true;
    scene.draining.addAll(Set.of(rs(0), rs(1)));

    var decision = scene.settle();

    assertThat(decision.waitsFor())
        .contains(new Decision.Wait(Precondition.ENOUGH_SERVERS, "1 of 4"));
    assertThat(decision.actions()).isEmpty();
    assertThat(scene.memory.flatMap(Rollout::before)).isEmpty();
  }

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

  @Test
  void ignoresSwitchesOfViewBeforeRollout() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.of(Rollout.begin(scene.now));
    scene.requestedAt = Optional.of(scene.now.minusSeconds(1));

    scene.settle();

    assertThat(scene.memory.get().before()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void holdsBack(Precondition precondition, String subject, Consumer<Scene> change) {
    var scene = Scene.outdated(4);
    change.accept(scene);

    var decision = scene.settle();

    assertThat(decision.waitsFor()).contains(new Decision.Wait(precondition, subject));
    assertThat(scene.memory.map(Rollout::restarts).orElse(List.of())).isEmpty();
    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
  }

  static Stream<Arguments> holdsBack() {
    return Stream.of(
        held(
            Precondition.NOT_TOO_SOON,
            Scene.START.plusSeconds(60).toString(),
            it ->
                it.memory =
                    it.memory.map(
                        at -> at.withNotBefore(Optional.of(Scene.START.plusSeconds(60))))),
        held(Precondition.TEMPLATES_OBSERVED, "", it -> it.isObserved = false),
        held(Precondition.INFRASTRUCTURE_READY, "", it -> it.isInfrastructureReady = false),
        held(
            Precondition.NO_OTHER_DISTURBANCE,
            "hb-rs-1",
            it -> it.pod(1, at -> Scene.unready(Scene.current(at)))),
        held(Precondition.NO_OTHER_DISTURBANCE, "hb-rs-1", it -> it.pods.remove("hb-rs-1")),
        held(Precondition.HBASE_RESPONDS, "hb-rs-3", it -> it.doesHBaseRespond = false),
        held(
            Precondition.HBASE_RESPONDS,
            "hb-rs-3",
            it -> it.requestedAt = Optional.of(it.now.minusSeconds(15))),
        held(Precondition.HBASE_RESPONDS, "hb-rs-3", it -> only(it, 3).living.remove("hb-rs-3")),
        held(Precondition.MASTER_ACTIVE, "", it -> it.active = Optional.empty()),
        held(Precondition.NO_SERVER_CRASHED, rs(9), it -> it.crashed.add(rs(9))),
        held(Precondition.NO_REGION_IN_TRANSITION, "r of 1", it -> it.moving.add("r")),
        held(Precondition.BALANCER_OFF, "", it -> it.balancer = true),
        held(Precondition.BALANCER_OFF, "", it -> it.normalizer = true),
        held(
            Precondition.ENOUGH_SERVERS,
            "1 of 4",
            it -> only(it, 3).draining.addAll(Set.of(rs(0), rs(1)))));
  }

  /** Only this one is outdated. */
  private static Scene only(Scene scene, int ordinal) {
    scene.pods.replaceAll((name, it) -> it.ordinal() == ordinal ? it : Scene.current(it));
    return scene;
  }

  private static Arguments held(Precondition precondition, String subject, Consumer<Scene> change) {
    return Arguments.of(precondition, subject, change);
  }

  /** During these, balancer and normalizer are on again. */
  @Test
  void restoresSwitchesInPauseAndClosedWindow() {
    for (boolean isPaused : List.of(true, false)) {
      var scene = Scene.outdated(3).rules(1, Optional.empty(), isPaused, isPaused);

      var decision = scene.settle();

      assertThat(decision.waitsFor().get().blocker())
          .isEqualTo(isPaused ? Precondition.NOT_PAUSED : Precondition.INSIDE_WINDOW);
      assertThat(decision.actions())
          .containsExactly(send(new SwitchBalancer(true)), send(new SwitchNormalizer(true)));
      scene.balancer = true;
      scene.normalizer = true;
      scene.settle();
      assertThat(scene.memory).isEmpty();
    }
  }

  @Test
  void restoredSwitchesNeedViewAfterLastCommand() {
    var scene = Scene.upToDate();
    scene.balancer = true;
    scene.normalizer = true;
    scene.settled = Optional.empty();
    scene.settle();
    assertThat(scene.memory).as("a command is under way").isPresent();

    scene.settled = Optional.of(scene.now);
    scene.requestedAt = Optional.of(scene.now);
    scene.settle();
    assertThat(scene.memory).as("requested before its end").isPresent();

    scene.requestedAt = Optional.empty();
    scene.settle();
    assertThat(scene.memory).isEmpty();
  }

  @Test
  void restartsHighestOrdinalOfFirstGroupFirst() {
    var scene = Scene.outdated(2).add("archive", 7).add("archive", 11);
    scene.settle();
    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-1");

    scene = Scene.outdated(2).add("archive", 7).add("archive", 11);
    scene.pod(0, Scene::current).pod(1, Scene::current);
    scene.settle();
    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-archive-11");
  }

  @Test
  void restartsPodWithoutRegionsFirstAlsoInClosedWindow() {
    var scene = Scene.outdated(3).pod(0, Scene::unready).rules(1, Optional.empty(), false, false);
    scene.living.remove("hb-rs-0");

    var decision = scene.settle();

    assertThat(decision.actions()).contains(new DeletePod("hb-rs-0", "uid-hb-rs-0"));
    assertThat(scene.restart(0).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void drainsUnreadyPodOfLiveServer() {
    var scene = Scene.outdated(3).pod(0, Scene::unready);
    scene.pod(1, Scene::current).pod(2, Scene::current);

    scene.settle();

    assertThat(scene.restart(0).get().step()).isEqualTo(Step.DRAIN);
  }

  @Test
  void drainsProcessThatStartedBeforeDeletion() {
    var scene = Scene.outdated(3).pod(0, Scene::unready);
    scene.living.remove("hb-rs-0");
    scene.settle();

    scene.serving(0).holds(0, "x");
    scene.settle();

    assertThat(scene.restart(0).get().step()).isEqualTo(Step.DRAIN);
    assertThat(scene.restart(0).get().server()).isEqualTo(server("hb-rs-0", 2));
  }

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

  @Test
  void drainsDeletedPodWhateverHoldsOthersBack() {
    var scene =
        Scene.outdated(3).pod(1, Scene::terminating).rules(1, Optional.empty(), true, false);
    scene.isObserved = false;

    assertThat(scene.settle().actions()).contains(send(new Decommission(rs(1))));
    assertThat(scene.restart(1).get().cause()).isEqualTo(Cause.POD_DELETED);
    assertThat(scene.restart(2)).isEmpty();

    scene.draining.add(rs(1));
    assertThat(moved(scene.settle())).containsExactly("hb-rs-1-a", "hb-rs-1-b");
    scene.settleAfter(Duration.ofHours(2));
    assertThat(scene.restart(1).get().isCancelled()).as("it stops anyway").isFalse();
  }

  @Test
  void deletionDuringDrainIsNotCancelled() {
    var scene = Scene.draining();

    scene.pod(2, Scene::terminating);
    scene.settleAfter(Duration.ofHours(2));

    assertThat(scene.restart(2).get().step()).isEqualTo(Step.DRAIN);
    assertThat(scene.restart(2).get().isCancelled()).isFalse();
  }

  /** Its pod was deleted from outside, and its new pod has a change that does not start. */
  @Test
  void replacesDeletedPodWhenChangeIsWithdrawn() {
    var scene = Scene.upToDate().pod(2, Scene::terminating);
    scene.settle();
    scene.replaced(2);
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.START);

    scene.pod(2, Scene::changed);

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));
  }

  @Test
  void stopsOnlyServerWithoutDrain() {
    var scene = Scene.outdated(1);

    assertThat(scene.settle().actions()).containsExactly(new DeletePod("hb-rs-0", "uid-hb-rs-0"));
    assertThat(scene.settle().actions()).as("again").hasSize(1);
    assertThat(scene.restart(0).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void restartsUpToMaxUnavailableServers() {
    var scene = Scene.outdated(5).rules(2, Optional.empty(), false, true);

    var decision = scene.settle();

    assertThat(scene.memory.get().restarts())
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-4", "hb-rs-3");
    assertThat(decision.actions())
        .containsExactly(send(new Decommission(rs(4))), send(new Decommission(rs(3))));
  }

  @Test
  void runningRestartEndsDespitePauseOrClosedWindow() {
    for (boolean isPaused : List.of(true, false)) {
      var scene = Scene.draining().rules(1, Optional.empty(), isPaused, isPaused);
      assertThat(moved(scene.settle())).hasSize(2);
      scene.holds(2);
      scene.settle();
      assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));
      scene.replaced(2);
      scene.settle();
      scene.serving(2).draining.clear();
      scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");

      var decision = scene.settle();

      assertThat(scene.memory.get().restarts()).isEmpty();
      assertThat(decision.actions())
          .containsExactly(send(new SwitchBalancer(true)), send(new SwitchNormalizer(true)));
    }
  }
}
