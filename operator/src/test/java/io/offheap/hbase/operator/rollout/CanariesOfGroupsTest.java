package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Two groups with a change: one canary is compared at a time, and none is lost. */
class CanariesOfGroupsTest {
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final String OTHER = "hb-archive-2";
  private static final CanaryVerdict PASSED = new CanaryVerdict.Passed(List.of("as fast"));

  /** A server that serves nothing gets its group's change at once, as its canary. */
  @Test
  void restartOfAnotherCanaryEndsNoComparison() {
    var scene = watched();
    var canary = scene.memory.get().canary();
    other(scene, Scene::unready);
    scene.living.remove(OTHER);
    scene.settle();
    assertThat(restart(scene).isCanary()).isTrue();
    replaced(scene);
    scene.settle();

    assertThat(scene.memory.get().restartOf(OTHER)).isEmpty();
    assertThat(scene.memory.get().canary()).isEqualTo(canary);
  }

  @Test
  void otherCanaryIsComparedAfterwards() {
    var scene = returning(watched());
    scene.settle();
    pass(scene, PASSED);
    assertThat(scene.proven).containsExactly("");
    pass(scene, new CanaryVerdict.Open());

    assertThat(scene.memory.get().canary()).map(Canary::pod).contains(OTHER);
    scene.settle();
    assertThat(scene.memory.get().restarts())
        .as("its peers wait")
        .extracting(ServerRestart::pod)
        .containsExactly("hb-rs-1");
  }

  /** Its restart ended while another was compared, and a pause or a closed window follows. */
  @Test
  void otherCanaryIsComparedAlsoWhileTheRolloutIsHeld() {
    for (boolean isPaused : List.of(true, false)) {
      var scene = returning(watched());
      scene.settle();
      scene.rules(1, Optional.of(WINDOW), isPaused, isPaused);
      pass(scene, PASSED);
      pass(scene, new CanaryVerdict.Open());

      assertThat(scene.memory.get().canary()).map(Canary::pod).contains(OTHER);
    }
  }

  /** A person who drains a node during a pause wants no comparison. */
  @Test
  void podDeletedFromOutsideIsNotComparedWhileTheRolloutIsHeld() {
    var scene = returning(watched());
    var deleted =
        ServerRestart.of(OTHER, "first", scene.now)
            .cause(ServerRestart.Cause.POD_DELETED)
            .step(Step.RETURN, scene.now)
            .build();
    scene.memory = scene.memory.map(it -> it.withRestarts(List.of(deleted)));
    scene.settle();
    assertThat(scene.memory.get().finished())
        .extracting(Rollout.Finished::cause)
        .contains(ServerRestart.Cause.POD_DELETED);
    scene.rules(1, Optional.of(WINDOW), true, true);
    pass(scene, PASSED);
    pass(scene, new CanaryVerdict.Open());

    assertThat(scene.memory.flatMap(Rollout::canary)).isEmpty();
  }

  /** The peers get the change at once, as they serve nothing: it must not be proven by that. */
  @Test
  void otherCanaryIsComparedAlsoWithoutServingPeers() {
    var scene = returning(watched());
    scene.settle();
    for (int ordinal : List.of(0, 1)) {
      scene.pods.computeIfPresent("hb-archive-" + ordinal, (name, pod) -> Scene.unready(pod));
      scene.living.remove("hb-archive-" + ordinal);
    }
    pass(scene, PASSED);
    pass(scene, new CanaryVerdict.Open());

    assertThat(scene.memory.get().canary()).map(Canary::pod).contains(OTHER);
  }

  @Test
  void verdictIsOfTheCanaryThatWasCompared() {
    var scene = returning(watched());
    var compared = scene.memory.get().canary().get();

    pass(scene, PASSED);

    assertThat(scene.memory.get().restartOf(OTHER)).as("ends in the same pass").isEmpty();
    assertThat(scene.memory.get().passed())
        .containsExactly(new Rollout.Passed(compared, List.of("as fast")));
  }

  @Test
  void worseVerdictRollsBackTheGroupThatWasCompared() {
    var scene = returning(watched());

    var decision = pass(scene, new CanaryVerdict.Worse(List.of("slow")));

    assertThat(decision.rolledBack())
        .contains(new Decision.RolledBack("", "CanaryWorse", List.of("slow")));
  }

  @Test
  void firstOfTwoThatEndInOnePassIsCompared() {
    var scene = returning(returning(watched(), "hb-archive-2"), name("", 2));
    scene.memory = scene.memory.map(it -> it.withCanary(Optional.empty()));

    pass(scene, new CanaryVerdict.Open());

    assertThat(scene.memory.get().restarts()).isEmpty();
    assertThat(scene.memory.get().canary()).map(Canary::pod).contains(OTHER);
    pass(scene, PASSED);
    pass(scene, new CanaryVerdict.Open());
    assertThat(scene.memory.get().canary()).map(Canary::pod).contains(name("", 2));
  }

  /** One change is rolled back in a pass, and the other verdict may not come again. */
  @Test
  void rollbackOfOneGroupKeepsTheOtherVerdict() {
    var scene = watched();
    other(scene, it -> Scene.current(Scene.uid(Scene.unready(it), "second")));
    other(scene, it -> Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has a reason")));
    scene.living.remove(OTHER);
    scene.memory = scene.memory.map(it -> it.plus(restart(scene, OTHER, Step.START)));

    var first = pass(scene, new CanaryVerdict.Worse(List.of("restarted")));

    assertThat(first.rolledBack()).map(Decision.RolledBack::group).contains("archive");
    var second = pass(scene, new CanaryVerdict.Worse(List.of("restarted")));
    assertThat(second.rolledBack())
        .contains(new Decision.RolledBack("", "CanaryWorse", List.of("restarted")));
  }

  @Test
  void newsHaveBothWhereOneCanaryFollowsAnother() {
    var scene = watched();
    var before = scene.memory;
    var next = Optional.of(Canary.found(scene.pods.get(OTHER), scene.now));
    var news = RolloutNews.of(before, before.map(it -> it.withCanary(next)));

    assertThat(news.events())
        .extracting(RolloutNews.Event::reason)
        .containsExactly("CanaryEnded", "CanaryStarted");
    assertThat(news.canariesEnded()).containsExactly(before.get().canary().get());
  }

  private static Decision pass(Scene scene, CanaryVerdict verdict) {
    scene.now = scene.now.plusSeconds(1);
    scene.verdict = verdict;
    var decision = scene.decide();
    var passed = scene.memory.get().passed();
    scene.memory = decision.remembered();
    scene.memory.get().passed().stream()
        .filter(it -> !passed.contains(it))
        .forEach(it -> scene.proven.add(it.canary().group()));
    decision.rolledBack().ifPresent(it -> scene.rolledBack.add(it.group()));
    return decision;
  }

  private static ServerRestart restart(Scene scene) {
    return scene.memory.get().restartOf(OTHER).orElseThrow();
  }

  private static void other(Scene scene, UnaryOperator<ServerPod> change) {
    scene.pods.computeIfPresent(OTHER, (name, pod) -> change.apply(pod));
  }

  /** The pod has the change and serves. */
  private static void replaced(Scene scene) {
    other(scene, it -> Scene.current(Scene.uid(Scene.ready(it), "second")));
    scene.living.put(OTHER, new Server(Scene.server(OTHER, 2), 0));
    scene.regions.put(OTHER, List.of());
  }

  /** The restart of the archive's canary ends in the next pass. */
  private static Scene returning(Scene scene) {
    return returning(scene, OTHER);
  }

  private static Scene returning(Scene scene, String pod) {
    if (pod.equals(OTHER)) {
      replaced(scene);
    }
    scene.memory = scene.memory.map(it -> it.plus(restart(scene, pod, Step.RETURN)));
    scene.now = scene.now.plusSeconds(1);
    return scene;
  }

  private static ServerRestart restart(Scene scene, String pod, Step step) {
    return ServerRestart.of(pod, "first", scene.now).step(step, scene.now).canary(true).build();
  }

  /** The canary of the default group is compared, and the archive has a change. */
  private static Scene watched() {
    var scene = CanaryScenes.watched();
    assertThat(scene.memory.get().canary()).map(Canary::pod).contains(name("", 2));
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      scene.add("archive", ordinal);
    }
    return scene;
  }
}
