package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
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

  /** By the older list enough servers are left; two are drained since. */
  @Test
  void olderListOfDrainingServersBeginsNoRestart() {
    var scene = only(Scene.outdated(4), 3);
    scene.memory = Optional.empty();
    scene.requestedAt = Optional.of(Scene.START.minusSeconds(50));
    scene.serversAt = Optional.of(Scene.START);

    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(Precondition.BALANCER_OFF);
    assertThat(scene.restart(3)).isEmpty();

    scene.draining.addAll(Set.of(rs(0), rs(1)));
    scene.requestedAt = Optional.empty();
    scene.serversAt = Optional.empty();
    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(Precondition.ENOUGH_SERVERS, "1 of 4"));
    assertThat(scene.restart(3)).isEmpty();
  }

  /**
   * By the older list too few servers are left. It holds the rollout until the next list: one that
   * began to get that would end with it, and begin again with each older list while they are
   * drained.
   */
  @Test
  void olderListOfDrainingServersHoldsUntilTheNextOne() {
    var scene = only(Scene.outdated(4), 3);
    scene.memory = Optional.empty();
    scene.draining.addAll(Set.of(rs(0), rs(1)));
    scene.requestedAt = Optional.of(Scene.START.minusSeconds(50));
    scene.serversAt = Optional.of(Scene.START);

    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(Precondition.ENOUGH_SERVERS, "1 of 4"));
    assertThat(scene.memory).isEmpty();

    scene.draining.clear();
    scene.requestedAt = Optional.empty();
    scene.serversAt = Optional.empty();
    scene.settle();
    assertThat(scene.restart(3)).isPresent();
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
