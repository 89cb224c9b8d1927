package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Precondition.BALANCER_OFF;
import static io.offheap.hbase.operator.rollout.Precondition.CANARY_PROVEN;
import static io.offheap.hbase.operator.rollout.Precondition.ENOUGH_SERVERS;
import static io.offheap.hbase.operator.rollout.Precondition.HBASE_RESPONDS;
import static io.offheap.hbase.operator.rollout.Precondition.INFRASTRUCTURE_READY;
import static io.offheap.hbase.operator.rollout.Precondition.INSIDE_WINDOW;
import static io.offheap.hbase.operator.rollout.Precondition.MASTER_ACTIVE;
import static io.offheap.hbase.operator.rollout.Precondition.NOT_PAUSED;
import static io.offheap.hbase.operator.rollout.Precondition.NOT_TOO_SOON;
import static io.offheap.hbase.operator.rollout.Precondition.NO_OTHER_DISTURBANCE;
import static io.offheap.hbase.operator.rollout.Precondition.NO_REGION_IN_TRANSITION;
import static io.offheap.hbase.operator.rollout.Precondition.NO_SERVER_CRASHED;
import static io.offheap.hbase.operator.rollout.Precondition.POD_ADMITTED;
import static io.offheap.hbase.operator.rollout.Precondition.TEMPLATES_OBSERVED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreconditionTest {
  private static final String SERVER = "hb-rs-3";

  @Test
  void areCheckedInThisOrder() {
    assertThat(Precondition.ALL)
        .containsExactly(
            NOT_PAUSED,
            TEMPLATES_OBSERVED,
            INSIDE_WINDOW,
            NOT_TOO_SOON,
            INFRASTRUCTURE_READY,
            NO_OTHER_DISTURBANCE,
            CANARY_PROVEN,
            HBASE_RESPONDS,
            MASTER_ACTIVE,
            NO_SERVER_CRASHED,
            NO_REGION_IN_TRANSITION,
            ENOUGH_SERVERS,
            POD_ADMITTED,
            BALANCER_OFF);
  }

  @Test
  void eachIsChecked() {
    assertThat(Precondition.ALL).containsExactlyInAnyOrder(Precondition.values());
  }

  @Test
  void admitsServerIfAllHold() {
    assertThat(firstUnmet(Scene.outdated(4))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void reportsTheOnlyUnmetOne(Precondition precondition) {
    var scene = Scene.outdated(4);
    violate(precondition, scene);

    assertThat(firstUnmet(scene))
        .contains(new Decision.Wait(precondition, subject(precondition, scene)));
  }

  @ParameterizedTest
  @EnumSource
  void reportsTheFirstUnmetOne(Precondition first) {
    var scene = Scene.outdated(4);
    Precondition.ALL.stream()
        .dropWhile(it -> it != first)
        .forEach(precondition -> violate(precondition, scene));

    assertThat(firstUnmet(scene).map(Decision.Wait::blocker)).contains(first);
  }

  @Test
  void scopeDependsOnRegionsAndRemoval() {
    UnaryOperator<Scene> surplus = it -> it.pod(3, Scene::surplus);
    UnaryOperator<Scene> servingNothing =
        it -> {
          it.living.remove(SERVER);
          return it.pod(3, Scene::unready);
        };
    assertThat(inScope(it -> it)).containsExactlyElementsOf(Precondition.ALL);
    assertThat(inScope(surplus))
        .containsExactlyElementsOf(
            Precondition.ALL.stream()
                .filter(it -> it != INSIDE_WINDOW && it != CANARY_PROVEN && it != POD_ADMITTED)
                .toList());
    assertThat(inScope(servingNothing))
        .containsExactly(
            NOT_PAUSED, TEMPLATES_OBSERVED, NO_OTHER_DISTURBANCE, CANARY_PROVEN, POD_ADMITTED);
    assertThat(inScope(it -> surplus.apply(servingNothing.apply(it))))
        .containsExactly(NOT_PAUSED, TEMPLATES_OBSERVED);
    assertThat(
            inScope(
                it -> {
                  it.pods.keySet().retainAll(Set.of(SERVER));
                  it.declared.retainAll(Set.of(SERVER));
                  return it;
                }))
        .containsExactlyElementsOf(
            Stream.concat(
                    Precondition.ALL.stream().takeWhile(it -> it != HBASE_RESPONDS),
                    Stream.of(POD_ADMITTED))
                .toList());
  }

  @Test
  void eachHasItsTraits() {
    assertThat(blockers(Blocker::isIntended))
        .containsExactlyInAnyOrder(NOT_PAUSED, INSIDE_WINDOW, CANARY_PROVEN);
    assertThat(blockers(it -> !it.isReported()))
        .containsExactlyInAnyOrder(
            CANARY_PROVEN,
            BALANCER_OFF,
            WaitReason.DRAINED,
            WaitReason.POD_DELETED,
            WaitReason.SERVES_AGAIN,
            WaitReason.REGIONS_BACK,
            WaitReason.FAILED_OVER,
            WaitReason.RESTORED);
  }

  /** One label value must not have two meanings, nor one meaning two values. */
  @Test
  void constantsOfOneTextHaveOneName() {
    for (Precondition precondition : Precondition.ALL) {
      assertThat(WaitReason.values())
          .allMatch(
              it -> it.name().equals(precondition.name()) == it.text().equals(precondition.text()));
    }
  }

  private static Stream<Blocker> blockers(Predicate<Blocker> which) {
    return Stream.<Blocker>concat(Precondition.ALL.stream(), Stream.of(WaitReason.values()))
        .filter(which);
  }

  private static List<Precondition> inScope(UnaryOperator<Scene> change) {
    var candidate = candidate(change.apply(Scene.outdated(4)));
    return Precondition.ALL.stream().filter(it -> it.scope().includes(candidate)).toList();
  }

  private static Optional<Decision.Wait> firstUnmet(Scene scene) {
    return Precondition.firstUnmet(candidate(scene));
  }

  private static Candidate candidate(Scene scene) {
    return new Candidate(scene.snapshot(), scene.memory.get(), scene.pods.get(SERVER));
  }

  private static void violate(Precondition precondition, Scene scene) {
    var rules = scene.rules;
    switch (precondition) {
      case NOT_PAUSED -> scene.rules(1, rules.canaryWindow(), true, rules.isWindowOpen());
      case TEMPLATES_OBSERVED -> scene.isObserved = false;
      case INSIDE_WINDOW -> scene.rules(1, rules.canaryWindow(), rules.isPaused(), false);
      case NOT_TOO_SOON ->
          scene.memory =
              scene.memory.map(it -> it.withNotBefore(Optional.of(Scene.START.plusSeconds(60))));
      case INFRASTRUCTURE_READY -> scene.isInfrastructureReady = false;
      case NO_OTHER_DISTURBANCE -> scene.pod(1, it -> Scene.unready(Scene.current(it)));
      case CANARY_PROVEN ->
          scene.memory =
              scene.memory.map(
                  it ->
                      it.withCanary(
                          Optional.of(
                              Rollout.Canary.found(scene.pods.get("hb-rs-2"), Scene.START))));
      case HBASE_RESPONDS -> scene.doesHBaseRespond = false;
      case MASTER_ACTIVE -> scene.active = Optional.empty();
      case NO_SERVER_CRASHED -> scene.crashed.add(Scene.rs(9));
      case NO_REGION_IN_TRANSITION -> scene.moving.add("r");
      case ENOUGH_SERVERS -> scene.draining.addAll(Set.of(Scene.rs(0), Scene.rs(1)));
      case POD_ADMITTED -> scene.refusedPods.put(SERVER, "exceeded quota: q");
      case BALANCER_OFF -> scene.balancer = true;
    }
  }

  private static String subject(Precondition precondition, Scene scene) {
    return switch (precondition) {
      case INSIDE_WINDOW, HBASE_RESPONDS -> SERVER;
      case NOT_TOO_SOON -> scene.memory.get().notBefore().get().toString();
      case NO_OTHER_DISTURBANCE -> "hb-rs-1";
      case CANARY_PROVEN -> "hb-rs-2";
      case NO_SERVER_CRASHED -> Scene.rs(9);
      case NO_REGION_IN_TRANSITION -> "r of 1";
      case ENOUGH_SERVERS -> "1 of 4";
      case POD_ADMITTED -> SERVER + ", exceeded quota: q";
      case NOT_PAUSED, TEMPLATES_OBSERVED, INFRASTRUCTURE_READY, MASTER_ACTIVE, BALANCER_OFF -> "";
    };
  }
}
