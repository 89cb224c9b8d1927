package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.CanaryScenes.lost;
import static io.offheap.hbase.operator.rollout.CanaryScenes.starting;
import static io.offheap.hbase.operator.rollout.CanaryScenes.startingWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Outages of managed ZooKeeper and HDFS, while a server starts with a change. */
class RollerOutageTest {
  @Test
  void keepsChangeWhileInfrastructureIsNotReady() {
    var scene = startingWith(PodTrouble.Kind.EXITS);
    scene.isInfrastructureReady = false;
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.isInfrastructureReady = true;
    scene.doesHBaseRespond = false;
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.doesHBaseRespond = true;
    scene.active = Optional.empty();
    assertThat(scene.settle().rolledBack()).isEmpty();

    scene.active = Optional.of(Scene.master(0));
    assertThat(scene.settle().rolledBack()).isPresent();
  }

  /** Processes that wait for ZooKeeper exit after minutes, and Kubernetes restarts them later. */
  @Test
  void exitsOfAnOutageAreNoEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.pod(2, it -> exited(it, 1));
    scene.settleAfter(Duration.ofMinutes(5));
    scene.pod(2, it -> exited(it, 2));
    scene.settle();

    scene.infrastructure(true);
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.pod(2, it -> exited(it, 3));
    assertThat(scene.settle().rolledBack()).as("began in the outage").isEmpty();
    scene.pod(2, it -> exited(it, 4));
    assertThat(scene.settle().rolledBack()).isEmpty();
    scene.pod(2, it -> exited(it, 5));
    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  @Test
  void exitsOfAPodAfterAnOutageAreEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.infrastructure(true);
    scene.settle();
    scene.pod(2, it -> Scene.uid(it, "next"));
    scene.settle();
    scene.settle();

    scene.pod(2, it -> exited(it, 2));
    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  /** A sidecar, or what runs before the server, waits for no dependency. */
  @Test
  void exitsOfOtherContainersAfterAnOutageAreEvidence() {
    var scene = starting();
    scene.infrastructure(false);
    scene.settleAfter(Duration.ofMinutes(5));
    scene.infrastructure(true);
    scene.settle();
    scene.pod(2, it -> Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has a reason")));

    assertThat(scene.settle().rolledBack().get().reason()).isEqualTo("CannotStart");
  }

  private static ServerPod exited(ServerPod it, int times) {
    return ServerPodBuilder.builder(
            Scene.with(it, new PodTrouble(PodTrouble.Kind.EXITS, "has ended " + times + " times")))
        .restarts(times)
        .build();
  }

  /** It waits for them, or cannot register; its change is not to blame. */
  @Test
  void outageOfInfrastructureIsNoPartOfAStart() {
    var scene = starting();
    assertThat(scene.settleAfter(Duration.ofMinutes(8)).rolledBack()).isEmpty();
    scene.infrastructure(false);
    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();

    scene.infrastructure(true);
    assertThat(scene.settle().rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(1)).rolledBack()).isEmpty();
    var late = scene.settleAfter(Duration.ofMinutes(2)).rolledBack();
    assertThat(late.get().reason()).isEqualTo("NotServing");
    assertThat(late.get().evidence())
        .containsExactly("hb-rs-2 did not serve within PT10M of its start");
  }

  /**
   * Each outage is shorter than the time that a start may take. Of three minutes two count: in the
   * first one the outage ended.
   */
  @Test
  void infrastructureThatServesNowAndThenLeavesADeadline() {
    var scene = starting();
    for (int i = 0; i < 3; i++) {
      scene.infrastructure(false);
      assertThat(scene.settleAfter(Duration.ofMinutes(5)).rolledBack()).isEmpty();
      scene.infrastructure(true);
      assertThat(scene.settleAfter(Duration.ofMinutes(3)).rolledBack()).isEmpty();
    }

    assertThat(scene.settleAfter(Duration.ofMinutes(5)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  /** One of three servers of ZooKeeper may never recover: the others serve. */
  @Test
  void infrastructureThatServesWithoutOneOfItsPodsDelaysNoDeadline() {
    var scene = starting();
    scene.isInfrastructureReady = false;

    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }

  @Test
  void outageOfInfrastructureIsNoPartOfTheNextStartOfALostCanary() {
    var scene = lost().infrastructure(false);
    assertThat(scene.settleAfter(Duration.ofHours(1)).rolledBack()).isEmpty();

    scene.infrastructure(true);
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).rolledBack()).isEmpty();
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).rolledBack().get().reason())
        .isEqualTo("NotServing");
  }
}
