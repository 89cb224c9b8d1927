package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.Rollout.Outcome;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a server is drained. */
class RollerDrainTest {
  @Test
  void isDrainedWhenTwoViewsShowNoRegion() {
    var scene = Scene.draining().holds(2);
    scene.requestedAt = Optional.of(scene.now);

    assertThat(scene.settle().actions()).isEmpty();
    assertThat(scene.settle().actions()).isEmpty();
    assertThat(scene.restart(2).get().step()).as("the same view").isEqualTo(Step.DRAIN);

    scene.requestedAt = Optional.empty();
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void regionBetweenViewsIsMovedAndTwoMoreViewsAreNeeded() {
    var scene = Scene.draining().holds(2);
    scene.requestedAt = Optional.of(scene.now);
    scene.settle();

    scene.holds(2, "late");
    scene.requestedAt = Optional.empty();

    assertThat(moved(scene.settle())).containsExactly("late");
    assertThat(scene.restart(2).get().emptyAt()).isEmpty();
  }

  @Test
  void isNotDrainedWhileARegionIsInTransition() {
    var scene = Scene.draining().holds(2);
    scene.moving.add("somewhere");

    assertThat(scene.settle().waitsFor().get().blocker())
        .isEqualTo(WaitReason.NO_REGION_IN_TRANSITION);
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.DRAIN);
  }

  @Test
  void serverThatDoesNotReportItsRegionsIsNotDrained() {
    var scene = Scene.draining();
    var view = scene.snapshot().hbase().get();
    var silent =
        new HBaseView(
            view.requestedAt(),
            view.serversAt(),
            view.activeMaster(),
            view.backupMasters(),
            view.servers(),
            Set.of(),
            Set.of(),
            view.draining(),
            false,
            false,
            Map.of());
    var decision =
        Roller.decide(
            scene.snapshot().toBuilder().hbase(Optional.of(silent)).build(), scene.memory);

    assertThat(decision.waitsFor().get().blocker()).isEqualTo(WaitReason.HBASE_RESPONDS);
    assertThat(decision.actions()).isEmpty();
  }

  /** With the new spec HBase may respond again. */
  @Test
  void podThatDoesNotServeIsReplacedWhileHBaseDoesNotRespond() {
    var scene = Scene.draining().pod(2, Scene::unready);
    scene.doesHBaseRespond = false;
    scene.watched = scene.now;
    assertThat(scene.settleAfter(Duration.ofMinutes(1)).actions()).isEmpty();

    var late = scene.settleAfter(Duration.ofMinutes(2));

    assertThat(late.actions()).contains(new Decision.Action.DeletePod("hb-rs-2", "uid-hb-rs-2"));
    assertThat(scene.restart(2).get().step()).isEqualTo(ServerRestart.Step.STOP);
  }

  /** The spec that it would get is the one whose rollback has halted the group. */
  @Test
  void podOfAHaltedGroupIsNotReplacedWhileHBaseDoesNotRespond() {
    var scene = Scene.draining().pod(2, Scene::unready);
    scene.halted.add("");
    scene.doesHBaseRespond = false;
    scene.watched = scene.now;

    assertThat(scene.settleAfter(Duration.ofMinutes(20)).actions()).isEmpty();
  }

  /** Its server may run, with regions. */
  @Test
  void podOfASilentNodeIsNotReplacedWhileHBaseDoesNotRespond() {
    var scene = Scene.draining().pod(2, RollerDrainTest::silent);
    scene.doesHBaseRespond = false;
    scene.watched = scene.now;

    assertThat(scene.settleAfter(Duration.ofMinutes(20)).actions()).isEmpty();
  }

  @Test
  void restartOfASilentNodesServerDoesNotBeginWhileHBaseDoesNotRespond() {
    var scene = Scene.outdated(3).rules(3, Optional.empty(), false, true);
    scene.pod(0, Scene::unready).pod(1, Scene::unready).pod(2, RollerDrainTest::silent);
    scene.doesHBaseRespond = false;

    scene.settle();

    assertThat(scene.restart(1)).isPresent();
    assertThat(scene.restart(2)).isEmpty();
  }

  private static ServerPod silent(ServerPod pod) {
    return Scene.with(
        Scene.unready(pod), new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node"));
  }

  @Test
  void podThatServesIsNotReplacedWhileHBaseDoesNotRespond() {
    var scene = Scene.draining();
    scene.doesHBaseRespond = false;
    scene.watched = scene.now;

    assertThat(scene.settleAfter(Duration.ofMinutes(20)).actions()).isEmpty();
    assertThat(scene.restart(2).get().step()).isEqualTo(ServerRestart.Step.DRAIN);
  }

  @Test
  void clockThatIsSetBackDelaysNothing() {
    var scene = Scene.draining();
    scene.now = scene.now.minus(Duration.ofDays(1));
    scene.watched = scene.now;
    assertThat(moved(scene.settle())).isNotEmpty();

    scene.holds(2);
    scene.settle();
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(ServerRestart.Step.STOP);
  }

  @Test
  void regionOfAnotherRestartIsMovedBackOnce() {
    var scene = Scene.draining();
    var other = scene.memory.get().restarts().get(0);
    scene.memory =
        scene.memory.map(
            it ->
                it.withRestarts(
                    List.of(
                        ServerRestart.of("hb-rs-1", "uid-hb-rs-1", scene.now)
                            .server(rs(1))
                            .step(Step.START, scene.now)
                            .regions(Optional.of(List.of("hb-rs-2-a")))
                            .build(),
                        ServerRestart.of(other.pod(), other.uid(), other.since())
                            .server(other.server())
                            .cause(other.cause())
                            .step(other.step(), other.since())
                            .build())));
    scene.settle();

    assertThat(scene.restart(2).get().toBringBack()).containsExactly("hb-rs-2-b");
  }

  @Test
  void drainTimeoutReturnsRegionsAndRetriesLater() {
    var scene = Scene.draining().holds(2, "hb-rs-2-a");

    var before = scene.memory;
    scene.settleAfter(Duration.ofMinutes(31));
    assertThat(scene.restart(2).get().cancelled())
        .contains(ServerRestart.Cancellation.DRAIN_TIMED_OUT);
    assertThat(news(before, scene)).containsExactly("DrainTimedOut");
    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(send(new Move("hb-rs-2-b", rs(2))));
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    var held = scene.settle();

    assertThat(held.waitsFor().get().blocker()).isEqualTo(Precondition.NOT_TOO_SOON);
    assertThat(held.actions())
        .containsExactly(send(new SwitchBalancer(true)), send(new SwitchNormalizer(true)));
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.DRAIN_TIMED_OUT);
    scene.balancer = true;
    scene.normalizer = true;
    scene.settle();
    assertThat(scene.memory.get().before()).isEmpty();

    var again = scene.settleAfter(Duration.ofMinutes(31));
    assertThat(again.waitsFor().get().blocker()).isEqualTo(Precondition.BALANCER_OFF);
  }

  @Test
  void cancellationByNewerChangeIsNoTimeout() {
    var scene = Scene.draining().holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.rules(1, Optional.of(Duration.ofMinutes(5)), false, true).pod(1, Scene::current);
    var before = scene.memory;

    scene.settle();

    assertThat(scene.restart(2).get().cancelled()).contains(ServerRestart.Cancellation.NOT_WANTED);
    assertThat(news(before, scene)).contains("Returning").doesNotContain("DrainTimedOut");
    scene.draining.clear();
    scene.settle();
    assertThat(scene.restart(2)).isEmpty();
    assertThat(scene.memory.get().notBefore()).as("nothing failed").isEmpty();
  }

  @Test
  void cancellationOfScaleDownIsNoTimeout() {
    var scene = Scene.upToDate().pod(2, Scene::surplus);
    scene.declared.remove("hb-rs-2");
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();
    assertThat(scene.restart(2).get().cause()).isEqualTo(ServerRestart.Cause.SCALE_DOWN);
    var before = scene.memory;

    scene.declared.add("hb-rs-2");
    scene.pod(2, Scene::declaredAgain);
    scene.settle();

    assertThat(news(before, scene)).containsExactly("Returning");
  }

  /** The API server limits an object, and thus status, to 1.5 MiB. */
  @Test
  void storesAtMost20000Regions() {
    var scene = Scene.outdated(3);
    scene.settle();
    scene.draining.add(rs(2));
    scene.holds(2, IntStream.range(0, 30_000).mapToObj(it -> "r" + it).toArray(String[]::new));
    scene.settle();

    assertThat(scene.restart(2).get().toBringBack()).hasSize(20_000);
    assertThat(moved(scene.settle())).as("all are moved").hasSize(30_000);
  }

  /** Both are stored by one decision, which neither of them sees. */
  @Test
  void twoServersThatAreListedInOneViewStoreAtMost20000Regions() {
    var scene = Scene.outdated(3);
    scene.memory =
        scene.memory.map(
            it ->
                it.withRestarts(
                    Stream.of(1, 2)
                        .map(
                            ordinal ->
                                ServerRestart.of(
                                        "hb-rs-" + ordinal, "uid-hb-rs-" + ordinal, Scene.START)
                                    .server(rs(ordinal))
                                    .step(Step.DRAIN, Scene.START)
                                    .build())
                        .toList()));
    scene.now = Scene.START.plusSeconds(10);
    for (int ordinal = 1; ordinal <= 2; ordinal++) {
      var name = "r" + ordinal + "-";
      scene.draining.add(rs(ordinal));
      scene.holds(
          ordinal, IntStream.range(0, 15_000).mapToObj(it -> name + it).toArray(String[]::new));
    }

    var restarts = scene.decide().remembered().orElseThrow().restarts();

    assertThat(restarts).hasSize(2).allSatisfy(it -> assertThat(it.regions()).isPresent());
    assertThat(restarts.stream().flatMap(it -> it.toBringBack().stream())).hasSize(20_000);
  }

  /** The last command may take effect after the restart was cancelled. */
  @Test
  void cancelledRestartEndsAfterAllCommands() {
    var scene = Scene.outdated(3);
    scene.settle();
    scene.settled = Optional.empty();
    scene.settleAfter(Duration.ofMinutes(31));
    scene.settle();

    assertThat(scene.restart(2).get().step()).isEqualTo(Step.RETURN);
    scene.settled = Optional.of(scene.now);
    scene.settle();
    assertThat(scene.restart(2)).isEmpty();
  }

  /** After the resource was deleted and created again, status has nothing else. */
  @Test
  void restoresStateAfterLostRollout() {
    var scene = Scene.upToDate();
    scene.draining.add(rs(2));
    scene.memory =
        Optional.of(
            Rollout.leftBehind(
                Optional.of(new Rollout.Switches(true, false)),
                Map.of("hb-rs-2", rs(2)),
                scene.now));

    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settleAfter(Duration.ofMinutes(1)).actions())
        .containsExactly(send(new SwitchBalancer(true)));
    scene.balancer = true;
    scene.settle();
    assertThat(scene.memory).isEmpty();
  }

  @Test
  void newerProcessIsDrainedAndOldNameRecommissioned() {
    var scene = Scene.draining().serving(2).holds(2, "x");

    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions())
        .containsExactly(send(new Decommission(server("hb-rs-2", 2))));
  }

  /** HBase refuses for ever: the restart is cancelled in time, and another one begins. */
  @Test
  void drainEndsIfADeadProcessCannotBeRecommissioned() {
    var scene = Scene.draining().serving(2).holds(2, "x");
    scene.keptDraining.add(rs(2));
    assertThat(scene.settleAfter(Duration.ofMinutes(29)).actions())
        .containsExactly(send(new Recommission(rs(2))));

    scene.settleAfter(Duration.ofMinutes(2));
    assertThat(scene.restart(2).get().cancelled())
        .contains(ServerRestart.Cancellation.DRAIN_TIMED_OUT);
    scene.now = scene.now.plus(Duration.ofMinutes(11));
    scene.settled = Optional.of(scene.now);
    scene.settleAfter(Duration.ofSeconds(1));
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.DRAIN_TIMED_OUT);

    scene.balancer = false;
    scene.normalizer = false;
    scene.settleAfter(Duration.ofMinutes(31));
    assertThat(scene.settle().actions()).contains(send(new Decommission(server("hb-rs-2", 2))));
  }

  private static List<String> news(Optional<Rollout> before, Scene scene) {
    return RolloutNews.of(before, scene.memory).events().stream()
        .map(RolloutNews.Event::reason)
        .toList();
  }
}
