package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.name;
import static io.offheap.hbase.operator.rollout.Scene.region;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.Decision.Action.Tell;
import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.Rollout.Outcome;
import io.offheap.hbase.operator.rollout.Turn.Cause;
import io.offheap.hbase.operator.rollout.Turn.Step;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of {@link Roller}, one by one. */
class RollerTest {
  private static final Duration WINDOW = Duration.ofMinutes(5);

  @Test
  void nothingIsRememberedOrDoneWhileAllIsUpToDate() {
    var scene = current();
    scene.memory = Optional.empty();

    assertThat(scene.decide()).isEqualTo(Decision.nothing());
  }

  @Test
  void firstTheSwitchesAreRememberedThenPutThenAServerHasItsTurn() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.empty();
    scene.balancer = true;

    var begun = scene.settle();

    assertThat(scene.memory.get().before()).contains(new Rollout.Switches(true, false));
    assertThat(begun.actions()).containsExactly(tell(new SwitchBalancer(false)));
    assertThat(begun.waitsFor().get().predicate()).isEqualTo(Predicate.BALANCER_OFF);
    scene.balancer = false;
    scene.settle();
    assertThat(scene.turn(2)).isPresent();
  }

  @Test
  void nothingIsSwitchedOffForATurnThatTooFewServersHoldUp() {
    var scene = only(Scene.outdated(4), 3);
    scene.memory = Optional.empty();
    scene.balancer = true;
    scene.draining.addAll(Set.of(rs(0), rs(1)));

    var decision = scene.settle();

    assertThat(decision.waitsFor()).contains(new Decision.Wait(Predicate.ENOUGH_SERVERS, "1 of 4"));
    assertThat(decision.actions()).isEmpty();
    assertThat(scene.memory.flatMap(Rollout::before)).isEmpty();
  }

  @Test
  void switchesThatALookFromBeforeTheRolloutShowsAreNotRemembered() {
    var scene = Scene.outdated(3);
    scene.memory = Optional.of(Rollout.begin(scene.now));
    scene.asked = Optional.of(scene.now.minusSeconds(1));

    scene.settle();

    assertThat(scene.memory.get().before()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void holdsBack(Predicate predicate, String subject, Consumer<Scene> change) {
    var scene = Scene.outdated(4);
    change.accept(scene);

    var decision = scene.settle();

    assertThat(decision.waitsFor()).contains(new Decision.Wait(predicate, subject));
    assertThat(scene.memory.map(Rollout::turns).orElse(List.of())).isEmpty();
    assertThat(decision.actions()).noneMatch(DeletePod.class::isInstance);
  }

  static Stream<Arguments> holdsBack() {
    return Stream.of(
        held(
            Predicate.NOT_TOO_SOON,
            Scene.START.plusSeconds(60).toString(),
            it ->
                it.memory =
                    it.memory.map(
                        at -> at.withNotBefore(Optional.of(Scene.START.plusSeconds(60))))),
        held(Predicate.TEMPLATES_OBSERVED, "", it -> it.isObserved = false),
        held(Predicate.INFRASTRUCTURE_READY, "", it -> it.isInfrastructureReady = false),
        held(
            Predicate.NO_OTHER_DISTURBANCE,
            "hb-rs-1",
            it -> it.pod(1, at -> Scene.unready(Scene.current(at)))),
        held(Predicate.NO_OTHER_DISTURBANCE, "hb-rs-1", it -> it.pods.remove("hb-rs-1")),
        held(Predicate.HBASE_HEARD, "hb-rs-3", it -> it.isHeard = false),
        held(
            Predicate.HBASE_HEARD,
            "hb-rs-3",
            it -> it.asked = Optional.of(it.now.minusSeconds(15))),
        held(Predicate.HBASE_HEARD, "hb-rs-3", it -> only(it, 3).living.remove("hb-rs-3")),
        held(Predicate.MASTER_ACTIVE, "", it -> it.active = Optional.empty()),
        held(Predicate.NO_SERVER_CRASHED, rs(9), it -> it.crashed.add(rs(9))),
        held(Predicate.NO_REGION_IN_TRANSITION, "r of 1", it -> it.moving.add("r")),
        held(Predicate.BALANCER_OFF, "", it -> it.balancer = true),
        held(Predicate.BALANCER_OFF, "", it -> it.normalizer = true),
        held(
            Predicate.ENOUGH_SERVERS,
            "1 of 4",
            it -> only(it, 3).draining.addAll(Set.of(rs(0), rs(1)))));
  }

  /** Only this one is outdated. */
  private static Scene only(Scene scene, int ordinal) {
    scene.pods.replaceAll((name, it) -> it.ordinal() == ordinal ? it : Scene.current(it));
    return scene;
  }

  private static Arguments held(Predicate predicate, String subject, Consumer<Scene> change) {
    return Arguments.of(predicate, subject, change);
  }

  /** In these, nothing of a rollout is left in the cluster. */
  @Test
  void pauseAndClosedWindowHoldBackAndSwitchesAreRestored() {
    for (boolean isPaused : List.of(true, false)) {
      var scene = Scene.outdated(3).rules(1, Optional.empty(), isPaused, isPaused);

      var decision = scene.settle();

      assertThat(decision.waitsFor().get().predicate())
          .isEqualTo(isPaused ? Predicate.NOT_PAUSED : Predicate.INSIDE_WINDOW);
      assertThat(decision.actions())
          .containsExactly(tell(new SwitchBalancer(true)), tell(new SwitchNormalizer(true)));
      scene.balancer = true;
      scene.normalizer = true;
      scene.settle();
      assertThat(scene.memory).isEmpty();
    }
  }

  @Test
  void switchesAreRestoredOnlyByALookAfterTheLastCommand() {
    var scene = current();
    scene.balancer = true;
    scene.normalizer = true;
    scene.settled = Optional.empty();
    scene.settle();
    assertThat(scene.memory).as("a command is under way").isPresent();

    scene.settled = Optional.of(scene.now);
    scene.asked = Optional.of(scene.now);
    scene.settle();
    assertThat(scene.memory).as("looked before its end").isPresent();

    scene.asked = Optional.empty();
    scene.settle();
    assertThat(scene.memory).isEmpty();
  }

  @Test
  void theHighestOrdinalOfTheFirstGroupGoesFirst() {
    var scene = Scene.outdated(2).add("archive", 7).add("archive", 11);
    scene.settle();
    assertThat(scene.memory.get().turns()).extracting(Turn::pod).containsExactly("hb-rs-1");

    scene = Scene.outdated(2).add("archive", 7).add("archive", 11);
    scene.pod(0, Scene::current).pod(1, Scene::current);
    scene.settle();
    assertThat(scene.memory.get().turns()).extracting(Turn::pod).containsExactly("hb-archive-11");
  }

  @Test
  void podThatServesNothingGoesFirstInAClosedWindowTooAndIsNotDrained() {
    var scene = Scene.outdated(3).pod(0, Scene::unready).rules(1, Optional.empty(), false, false);
    scene.living.remove("hb-rs-0");

    var decision = scene.settle();

    assertThat(decision.actions()).contains(new DeletePod("hb-rs-0", "uid-hb-rs-0"));
    assertThat(scene.turn(0).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void podThatIsNotReadyButLivesIsDrained() {
    var scene = Scene.outdated(3).pod(0, Scene::unready);
    scene.pod(1, Scene::current).pod(2, Scene::current);

    scene.settle();

    assertThat(scene.turn(0).get().step()).isEqualTo(Step.DRAIN);
  }

  @Test
  void aProcessThatBeganToLiveBeforeItsPodWasDeletedIsDrained() {
    var scene = Scene.outdated(3).pod(0, Scene::unready);
    scene.living.remove("hb-rs-0");
    scene.settle();

    scene.serving(0).holds(0, "x");
    scene.settle();

    assertThat(scene.turn(0).get().step()).isEqualTo(Step.DRAIN);
    assertThat(scene.turn(0).get().server()).isEqualTo(server("hb-rs-0", 2));
  }

  @Test
  void surplusPodsGoFromTheLastOneAndAreDrainedButNotDeleted() {
    var scene = Scene.outdated(4).rules(1, Optional.empty(), false, false);
    for (int ordinal = 2; ordinal < 4; ordinal++) {
      scene.pod(ordinal, Scene::surplus);
      scene.declared.remove(name("", ordinal));
    }

    assertThat(scene.settle().actions()).containsExactly(tell(new Decommission(rs(3))));
    assertThat(scene.turn(3).get().cause()).isEqualTo(Cause.SCALE_DOWN);
    scene.draining.add(rs(3));
    scene.holds(3);
    assertThat(scene.settle().actions()).as("its StatefulSet is made smaller").isEmpty();
    assertThat(scene.turn(3).get().step()).isEqualTo(Step.STOP);

    scene.pods.remove("hb-rs-3");
    scene.living.remove("hb-rs-3");
    assertThat(scene.settle().actions()).containsExactly(tell(new Recommission(rs(3))));
    scene.draining.clear();
    scene.settle();
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.SCALED_DOWN);
    assertThat(scene.turn(2)).as("the next").isPresent();
  }

  @Test
  void brokenSurplusPodWaitsForTheOneBehindIt() {
    var scene = Scene.outdated(4).pod(2, Scene::surplus).pod(3, Scene::surplus);
    scene.pod(2, Scene::unready);
    scene.declared.removeAll(Set.of("hb-rs-2", "hb-rs-3"));
    scene.living.remove("hb-rs-2");

    scene.settle();

    assertThat(scene.memory.get().turns())
        .extracting(Turn::pod)
        .containsExactly("hb-rs-3", "hb-rs-2");
  }

  @Test
  void surplusPodThatIsDeclaredAgainGetsItsRegionsBackAndDelaysNothing() {
    var scene = Scene.outdated(3).pod(2, Scene::surplus);
    scene.pod(0, Scene::current).pod(1, Scene::current);
    scene.declared.remove("hb-rs-2");
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();

    scene.pod(2, it -> new ServerPod(it.name(), it.uid(), "", 2, false, false, true, false, false));
    scene.declared.add("hb-rs-2");
    scene.holds(2, "hb-rs-2-a");
    assertThat(scene.settle().actions()).containsExactly(tell(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(tell(new Move("hb-rs-2-b", rs(2))));
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.settle();

    assertThat(scene.memory.get().turns()).isEmpty();
    assertThat(scene.memory.get().notBefore()).isEmpty();
  }

  @Test
  void podThatOthersDeletedIsEmptiedAtOnceWhateverHoldsOthersBack() {
    var scene =
        Scene.outdated(3).pod(1, Scene::terminating).rules(1, Optional.empty(), true, false);
    scene.isObserved = false;

    assertThat(scene.settle().actions()).contains(tell(new Decommission(rs(1))));
    assertThat(scene.turn(1).get().cause()).isEqualTo(Cause.GONE);
    assertThat(scene.turn(2)).isEmpty();

    scene.draining.add(rs(1));
    assertThat(moved(scene.settle())).containsExactly("hb-rs-1-a", "hb-rs-1-b");
    scene.settleAfter(Duration.ofHours(2));
    assertThat(scene.turn(1).get().gaveUp()).as("it goes anyway").isFalse();
  }

  @Test
  void podThatOthersDeletedWhileItWasDrainedIsNotGivenUp() {
    var scene = draining();

    scene.pod(2, Scene::terminating);
    scene.settleAfter(Duration.ofHours(2));

    assertThat(scene.turn(2).get().step()).isEqualTo(Step.DRAIN);
    assertThat(scene.turn(2).get().gaveUp()).isFalse();
  }

  /** Its pod was deleted by others, and came back with a change that does not start. */
  @Test
  void podThatOthersDeletedIsReplacedWhenItsNewChangeIsWithdrawn() {
    var scene = current().pod(2, Scene::terminating);
    scene.settle();
    scene.replaced(2);
    scene.settle();
    assertThat(scene.turn(2).get().step()).isEqualTo(Step.START);

    scene.pod(2, Scene::changed);

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));
  }

  @Test
  void onlyServerIsStoppedAsItIs() {
    var scene = Scene.outdated(1);

    assertThat(scene.settle().actions()).containsExactly(new DeletePod("hb-rs-0", "uid-hb-rs-0"));
    assertThat(scene.settle().actions()).as("again").hasSize(1);
    assertThat(scene.turn(0).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void asManyAreInTheirTurnAsMayBe() {
    var scene = Scene.outdated(5).rules(2, Optional.empty(), false, true);

    var decision = scene.settle();

    assertThat(scene.memory.get().turns())
        .extracting(Turn::pod)
        .containsExactly("hb-rs-4", "hb-rs-3");
    assertThat(decision.actions())
        .containsExactly(tell(new Decommission(rs(4))), tell(new Decommission(rs(3))));
  }

  @Test
  void isEmptyWhenTwoLooksSaySo() {
    var scene = draining().holds(2);
    scene.asked = Optional.of(scene.now);

    assertThat(scene.settle().actions()).isEmpty();
    assertThat(scene.settle().actions()).isEmpty();
    assertThat(scene.turn(2).get().step()).as("the same look").isEqualTo(Step.DRAIN);

    scene.asked = Optional.empty();
    scene.settle();
    assertThat(scene.turn(2).get().step()).isEqualTo(Step.STOP);
  }

  @Test
  void aRegionThatCameBetweenTheLooksIsMovedAndTwoMoreAreNeeded() {
    var scene = draining().holds(2);
    scene.asked = Optional.of(scene.now);
    scene.settle();

    scene.holds(2, "late");
    scene.asked = Optional.empty();

    assertThat(moved(scene.settle())).containsExactly("late");
    assertThat(scene.turn(2).get().emptyAt()).isEmpty();
  }

  @Test
  void isNotEmptyWhileARegionMayBeOnItsWay() {
    var scene = draining().holds(2);
    scene.moving.add("somewhere");

    assertThat(scene.settle().waitsFor().get().predicate())
        .isEqualTo(Predicate.NO_REGION_IN_TRANSITION);
    assertThat(scene.turn(2).get().step()).isEqualTo(Step.DRAIN);
  }

  @Test
  void serverThatDoesNotSayWhatItHasIsNotTakenForEmpty() {
    var scene = draining();
    var view = scene.situation().hbase().get();
    var silent =
        new HBaseView(
            view.asked(),
            view.activeMaster(),
            view.backupMasters(),
            view.servers(),
            Set.of(),
            Set.of(),
            view.draining(),
            false,
            false,
            java.util.Map.of());
    var it = scene.situation();

    var decision =
        Roller.decide(
            new Situation(
                it.now(),
                it.rules(),
                it.servers(),
                it.declared(),
                it.masters(),
                2,
                true,
                true,
                Optional.of(silent),
                it.settledAt(),
                Set.of(),
                Set.of(),
                it.canaryVerdict()),
            scene.memory);

    assertThat(decision.waitsFor().get().predicate()).isEqualTo(Predicate.HBASE_HEARD);
    assertThat(decision.actions()).isEmpty();
  }

  @Test
  void oldLookMovesNothing() {
    var scene = draining();
    assertThat(scene.decide().actions()).isNotEmpty();

    scene.asked = Optional.of(scene.now.minusSeconds(15));

    assertThat(scene.decide().actions()).isEmpty();
    assertThat(scene.decide().waitsFor().get().predicate()).isEqualTo(Predicate.HBASE_HEARD);
  }

  @Test
  void metaMovesFirstAndAlone() {
    var scene = draining();
    scene.regions.put(
        "hb-rs-2", List.of(region("a"), new Region("1588230740", true, true), region("b")));

    assertThat(moved(scene.settle())).containsExactly("1588230740");

    scene.moving.add("1588230740");
    assertThat(moved(scene.settle())).as("until it is there").isEmpty();
    scene.moving.clear();
    scene.holds(2, "a", "b");
    assertThat(moved(scene.settle())).containsExactly("a", "b");
  }

  @Test
  void regionsGoToServersThatNeedNoRestartAnyMore() {
    var scene = draining().pod(0, Scene::current);

    assertThat(destinations(scene)).containsExactly(rs(0), rs(0));
  }

  @Test
  void oneThatHasTwiceTheMeanIsPassedOver() {
    var scene = draining().add("", 3).pod(0, Scene::current);
    var many = IntStream.range(0, 20).mapToObj(Integer::toString).toArray(String[]::new);

    assertThat(destinations(scene.holds(0, Arrays.copyOf(many, 10)))).containsOnly(rs(0));
    assertThat(destinations(scene.holds(0, many))).containsExactly(rs(1), rs(3));
  }

  @Test
  void amongEqualsRegionsGoToTheServerWithTheFewest() {
    var scene = draining().holds(0, "1", "2", "3").holds(1, "4", "5");

    assertThat(destinations(scene)).containsExactly(rs(1), rs(0));
  }

  @Test
  void serversThatAreGoingOrAreDrainedByOthersTakeNothingAndAreLeftAlone() {
    var scene = draining().add("", 3);
    scene.draining.add(rs(0));
    scene.draining.add("gone.hb.svc,16020,1");
    scene.pod(3, it -> Scene.surplus(it)).pod(3, Scene::current);

    var decision = scene.settle();

    assertThat(moves(decision).map(Move::destination)).containsExactly(rs(1), rs(1));
    assertThat(decision.actions()).noneMatch(it -> it.toString().contains("commission"));
  }

  @Test
  void serverThatCannotBeEmptiedGetsItsRegionsBackAndIsTriedAgainLater() {
    var scene = draining().holds(2, "hb-rs-2-a");

    scene.settleAfter(Duration.ofMinutes(31));
    assertThat(scene.turn(2).get().gaveUp()).isTrue();
    assertThat(scene.settle().actions()).containsExactly(tell(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(tell(new Move("hb-rs-2-b", rs(2))));
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    var held = scene.settle();

    assertThat(held.waitsFor().get().predicate()).isEqualTo(Predicate.NOT_TOO_SOON);
    assertThat(held.actions())
        .containsExactly(tell(new SwitchBalancer(true)), tell(new SwitchNormalizer(true)));
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.GAVE_UP);
    scene.balancer = true;
    scene.normalizer = true;
    scene.settle();
    assertThat(scene.memory.get().before()).isEmpty();

    var again = scene.settleAfter(Duration.ofMinutes(31));
    assertThat(again.waitsFor().get().predicate()).isEqualTo(Predicate.BALANCER_OFF);
  }

  /** What was told last may come true after it was given up. */
  @Test
  void serverThatWasGivenUpIsNotLeftBeforeAllCommandsHaveEnded() {
    var scene = Scene.outdated(3);
    scene.settle();
    scene.settled = Optional.empty();
    scene.settleAfter(Duration.ofMinutes(31));
    scene.settle();

    assertThat(scene.turn(2).get().step()).isEqualTo(Step.RETURN);
    scene.settled = Optional.of(scene.now);
    scene.settle();
    assertThat(scene.turn(2)).isEmpty();
  }

  @Test
  void restartedServerGetsItsRegionsBackButMeta() {
    var scene = draining();
    scene.regions.put("hb-rs-2", List.of(region("a"), new Region("meta", true, true)));
    scene.memory = scene.memory.map(it -> it.withTurns(List.of()));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));

    scene.replaced(2);
    assertThat(scene.settle().waitsFor().get().predicate()).isEqualTo(Predicate.SERVES_AGAIN);
    scene.pod(2, Scene::ready);
    scene.settle();
    assertThat(scene.turn(2).get().step())
        .as("ready, but not alive for HBase")
        .isEqualTo(Step.START);
    scene.serving(2);
    assertThat(scene.settle().actions()).containsExactly(tell(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(tell(new Move("a", server("hb-rs-2", 2))));
    scene.holds(2, "a");
    scene.settle();

    assertThat(scene.turn(2)).isEmpty();
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.RESTARTED);
  }

  @Test
  void processThatCameInsteadIsDrainedAndTheOldNameIsTakenFromTheList() {
    var scene = draining().serving(2).holds(2, "x");

    assertThat(scene.settle().actions()).containsExactly(tell(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions())
        .containsExactly(tell(new Decommission(server("hb-rs-2", 2))));
  }

  @Test
  void changeThatDoesNotServeInTimeIsTakenBackAndItsPodIsReplacedOnce() {
    var scene = starting();
    scene.settleAfter(Duration.ofMinutes(9));
    assertThat(scene.decide().takenBack()).isEmpty();

    var late = scene.settleAfter(Duration.ofMinutes(2));
    assertThat(late.takenBack().get().reason()).isEqualTo("NotServing");
    assertThat(late.takenBack().get().evidence())
        .containsExactly("hb-rs-2 did not serve within PT10M of its start");

    scene.pod(2, Scene::changed);
    scene.isObserved = false;
    assertThat(scene.settle().takenBack()).as("once").isEmpty();
    scene.isObserved = true;
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2'"));

    scene.pod(2, it -> Scene.current(Scene.uid(it, "third")));
    assertThat(scene.settle().takenBack()).as("it has its time again").isEmpty();
    scene.serving(2);
    scene.draining.clear();
    scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.settle();
    assertThat(scene.turn(2)).isEmpty();
  }

  @Test
  void haltedGroupIsNotTakenBackAgain() {
    var scene = starting();
    scene.halted.add("");

    var late = scene.settleAfter(Duration.ofHours(1));

    assertThat(late.takenBack()).isEmpty();
    assertThat(late.waitsFor().get().predicate()).isEqualTo(Predicate.SERVES_AGAIN);
  }

  @Test
  void haltedGroupHasNoTurn() {
    var scene = Scene.outdated(3);
    scene.halted.add("");

    scene.settle();

    assertThat(scene.memory.get().turns()).isEmpty();
  }

  @Test
  void othersWaitForTheCanary() {
    var scene = watched();

    var decision = scene.settle();

    assertThat(scene.memory.get().canary().get().pod()).isEqualTo("hb-rs-2");
    assertThat(scene.memory.get().turns()).isEmpty();
    assertThat(decision.waitsFor().get())
        .isEqualTo(new Decision.Wait(Predicate.CANARY_PROVEN, "hb-rs-2"));
  }

  @Test
  void othersGoOnWhenTheCanaryHasPassedAndAreNone() {
    var scene = watched();

    scene.verdict = new CanaryVerdict.Passed(List.of());
    scene.settle();

    assertThat(scene.memory.get().canary()).isEmpty();
    assertThat(scene.turn(1).get().isCanary()).isFalse();
  }

  @Test
  void changeOfACanaryThatIsWorseIsTakenBack() {
    var scene = watched();

    scene.verdict = new CanaryVerdict.Worse(List.of("slow"));
    var decision = scene.settle();

    assertThat(decision.takenBack())
        .contains(new Decision.TakenBack("", "CanaryWorse", List.of("slow")));
    assertThat(scene.memory.get().turns()).isEmpty();
    scene.pod(0, Scene::current).pod(1, Scene::current).pod(2, Scene::changed);
    scene.verdict = new CanaryVerdict.Open();
    scene.settle();
    assertThat(scene.turn(2)).isPresent();
    assertThat(scene.turn(2).get().isCanary()).as("back to what its peers have").isFalse();
  }

  @Test
  void groupWaitsForItsCanaryWhileThatHasNoPod() {
    var scene = Scene.outdated(5).rules(2, Optional.of(WINDOW), false, true);
    scene.settle();
    assertThat(scene.memory.get().turns()).extracting(Turn::pod).containsExactly("hb-rs-4");
    scene.draining.add(rs(4));
    scene.holds(4);
    scene.settle();
    scene.settle();
    scene.pods.remove("hb-rs-4");
    scene.living.remove("hb-rs-4");

    assertThat(scene.settle().waitsFor().get().predicate()).isEqualTo(Predicate.SERVES_AGAIN);
    assertThat(scene.memory.get().turns()).extracting(Turn::pod).containsExactly("hb-rs-4");
  }

  @Test
  void canaryOfAnotherGroupWaitsUntilTheFirstIsProven() {
    var scene = watched();
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      scene.add("archive", ordinal);
    }
    scene.rules(2, Optional.of(WINDOW), false, true);

    scene.settle();

    assertThat(scene.memory.get().turns()).isEmpty();
    assertThat(scene.memory.get().canary().get().pod()).isEqualTo("hb-rs-2");
  }

  @Test
  void restartThatWasAskedForHasNoCanary() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.pods.replaceAll(
        (name, it) ->
            new ServerPod(name, it.uid(), "", it.ordinal(), true, false, true, false, false));

    scene.settle();

    assertThat(scene.turn(2).get().isCanary()).isFalse();
  }

  @Test
  void turnInFlightEndsWhenARolloutIsPausedOrItsWindowCloses() {
    for (boolean isPaused : List.of(true, false)) {
      var scene = draining().rules(1, Optional.empty(), isPaused, isPaused);
      assertThat(moved(scene.settle())).hasSize(2);
      scene.holds(2);
      scene.settle();
      assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));
      scene.replaced(2);
      scene.settle();
      scene.serving(2).draining.clear();
      scene.holds(2, "hb-rs-2-a", "hb-rs-2-b");

      var decision = scene.settle();

      assertThat(scene.memory.get().turns()).isEmpty();
      assertThat(decision.actions())
          .containsExactly(tell(new SwitchBalancer(true)), tell(new SwitchNormalizer(true)));
    }
  }

  @Test
  void mastersWaitForRegionServers() {
    var scene = Scene.outdated(3).master(1, Scene::changed);

    scene.settle();

    assertThat(scene.memory.get().master()).isEmpty();
    assertThat(scene.turn(2)).isPresent();
  }

  @Test
  void backupMastersGoFirstAndTheActiveOneLast() {
    var scene = current().master(0, Scene::changed).master(1, Scene::changed);
    scene.active = Optional.of(Scene.master(1));
    scene.backups.clear();
    scene.backups.add(Scene.master(0));

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-0", "uid-hb-master-0"));
    scene.masters.remove("hb-master-0");
    assertThat(scene.settle().waitsFor().get().predicate()).isEqualTo(Predicate.SERVES_AGAIN);
    scene.masters.put(
        "hb-master-0",
        new ServerPod("hb-master-0", "new", "", 0, false, false, true, false, false));
    scene.backups.clear();

    var held = scene.settle();
    assertThat(held.waitsFor())
        .contains(new Decision.Wait(Predicate.FAILED_OVER, "no other master is waiting"));
    scene.backups.add(server("hb-master-0", 2));
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  @Test
  void anotherMasterMustHaveTakenOver() {
    var scene = current().master(0, Scene::changed);
    scene.settle();
    scene.master(0, it -> Scene.current(Scene.uid(it, "new")));

    assertThat(scene.settle().waitsFor().get().predicate()).isEqualTo(Predicate.FAILED_OVER);
    scene.active = Optional.of(Scene.master(1));
    scene.settle();
    assertThat(scene.memory.get().master()).isEmpty();
  }

  @Test
  void masterIsHeldBackWhileAnotherDoesNotServe() {
    var scene = current().master(0, Scene::changed).master(1, Scene::unready);

    assertThat(scene.settle().waitsFor())
        .contains(new Decision.Wait(Predicate.NO_OTHER_DISTURBANCE, "hb-master-1"));
  }

  @Test
  void masterThatDoesNotServeWaitsForNoRegionServer() {
    var scene = Scene.outdated(3).master(1, Scene::changed).master(1, Scene::unready);
    scene.isHeard = false;

    assertThat(scene.settle().actions()).contains(new DeletePod("hb-master-1", "uid-hb-master-1"));
  }

  private static Scene current() {
    var scene = Scene.outdated(3);
    scene.pods.replaceAll((name, pod) -> Scene.current(pod));
    return scene;
  }

  /** Server 2 of three is told to get no regions, and has two. */
  private static Scene draining() {
    var scene = Scene.outdated(3);
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();
    return scene;
  }

  /** The new pod of server 2 does not serve. */
  private static Scene starting() {
    var scene = draining().holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    return scene;
  }

  /** Server 2 was the canary's turn, and is back. */
  private static Scene watched() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.settle();
    assertThat(scene.turn(2).get().isCanary()).isTrue();
    scene.draining.add(rs(2));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.serving(2).holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.draining.clear();
    scene.settle();
    return scene;
  }

  private static Action tell(HBaseCommand command) {
    return new Tell(command);
  }

  private static Stream<Move> moves(Decision decision) {
    return decision.actions().stream()
        .filter(Tell.class::isInstance)
        .map(it -> ((Tell) it).command())
        .filter(Move.class::isInstance)
        .map(Move.class::cast);
  }

  private static List<String> moved(Decision decision) {
    return moves(decision).map(Move::encodedRegion).toList();
  }

  private static List<String> destinations(Scene scene) {
    return moves(scene.settle()).map(Move::destination).toList();
  }
}
