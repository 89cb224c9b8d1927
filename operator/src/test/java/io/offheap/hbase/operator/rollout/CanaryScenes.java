package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.rs;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;

/** Rollouts at a step of a change: its first server starts, is compared, or is lost. */
final class CanaryScenes {
  static final Optional<PodTrouble> NO_NODE =
      Optional.of(new PodTrouble(PodTrouble.Kind.NO_NODE, "has no node"));
  static final Duration WINDOW = Duration.ofMinutes(5);

  private CanaryScenes() {}

  /** The canary's node was lost, for the first time. */
  static Scene lost() {
    var scene = watched().pod(2, Scene::unready);
    var before = scene.memory;
    scene.living.remove("hb-rs-2");
    scene.verdict = new CanaryVerdict.NodeLost("its node ceased to report it");
    scene.settle();
    assertThat(scene.memory.get().canary().get().uid()).isEmpty();
    assertThat(RolloutNews.of(before, scene.memory).events())
        .extracting(RolloutNews.Event::reason)
        .containsExactly("CanaryNodeLost");
    scene.verdict = new CanaryVerdict.Open();
    return scene;
  }

  /** The new pod of server 2 does not serve. */
  static Scene startingWith(PodTrouble.Kind kind) {
    var scene = starting();
    scene.pod(2, it -> Scene.with(it, new PodTrouble(kind, "has a reason")));
    return scene;
  }

  static Scene starting() {
    var scene = Scene.draining().holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    return scene;
  }

  /** Server 2, the canary, was drained and has a new pod. */
  static Scene replaced() {
    var scene = Scene.outdated(3).rules(1, Optional.of(WINDOW), false, true);
    scene.settle();
    assertThat(scene.restart(2).get().isCanary()).isTrue();
    scene.draining.add(rs(2));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    return scene;
  }

  /** Server 2, the canary, was restarted and has its regions back. */
  static Scene watched() {
    var scene = replaced();
    scene.serving(2).holds(2, "hb-rs-2-a", "hb-rs-2-b");
    scene.draining.clear();
    scene.settle();
    return scene;
  }
}
