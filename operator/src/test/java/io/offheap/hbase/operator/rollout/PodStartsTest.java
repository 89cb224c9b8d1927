package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For how long a pod had the chance to start; there is a reconciliation each minute. */
class PodStartsTest {
  private static final String NAME = "hb-rs-0";
  private static final PodTrouble NO_NODE = new PodTrouble(PodTrouble.Kind.NO_NODE, "has no node");

  private static final PodTrouble SILENT =
      new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node");

  private PodStarts starts = PodStarts.NONE;
  private long nanos = Long.MAX_VALUE - 1;
  private boolean mayStart = true;

  @Test
  void timeWithoutANodeDoesNotCount() {
    missing();
    missing();
    assertThat(minutes(pod("a"))).as("it was just made").isZero();
    var waiting = Scene.with(pod("a"), NO_NODE);
    assertThat(minutes(waiting)).isZero();
    assertThat(minutes(waiting)).isZero();
    assertThat(minutes(pod("a"))).isEqualTo(1);
    assertThat(minutes(pod("a"))).isEqualTo(2);
  }

  @Test
  void timeOfDeletionDoesNotCount() {
    minutes(pod("a"));
    assertThat(minutes(pod("a"))).isEqualTo(1);
    assertThat(minutes(Scene.terminating(pod("a")))).isEqualTo(1);
  }

  /** Pods that are evicted one after the other would never have to serve. */
  @Test
  void timesOfPodsThatWereNeverReadyAreAddedUp() {
    minutes(pod("a"));
    assertThat(minutes(pod("a"))).isEqualTo(1);
    missing();
    assertThat(minutes(pod("b"))).isEqualTo(2);
    assertThat(minutes(pod("c"))).isEqualTo(3);
  }

  @Test
  void beginsAnewAfterAPodThatWasReady() {
    minutes(pod("a"));
    assertThat(minutes(Scene.ready(pod("a")))).as("HBase may not list it yet").isEqualTo(1);
    assertThat(minutes(pod("a"))).isEqualTo(2);

    assertThat(minutes(pod("b"))).isZero();
    assertThat(minutes(pod("b"))).isEqualTo(1);
    assertThat(minutes(pod("c"))).as("after one that was not").isEqualTo(2);
  }

  @Test
  void beginsAnewAfterAPodThatHadToBeReplaced() {
    minutes(pod("a"));
    minutes(Scene.changed(pod("a")));
    missing();

    assertThat(minutes(pod("b"))).isZero();
  }

  @Test
  void beginsAnewIfAReadyPodEndsWithItsNode() {
    minutes(pod("a"));
    minutes(Scene.ready(pod("a")));
    var rebooted = ServerPodBuilder.builder(pod("a")).restarts(1).isEndedByNode(true).build();
    assertThat(minutes(rebooted)).isZero();
    assertThat(minutes(rebooted)).isEqualTo(1);

    var again = ServerPodBuilder.builder(rebooted).restarts(2).build();
    assertThat(minutes(again)).as("it was not ready in between").isEqualTo(2);
  }

  /** The canary may have run for days before an outage ends it. */
  @Test
  void beginsAnewIfAReadyPodEndsInAnOutage() {
    minutes(Scene.ready(pod("a")));
    assertThat(minutes(Scene.ready(pod("a")))).isEqualTo(1);
    mayStart = false;
    assertThat(minutes(ended("a", 1))).isZero();
    mayStart = true;
    assertThat(minutes(ended("a", 1))).isZero();
    assertThat(minutes(ended("a", 1))).isEqualTo(1);
  }

  /** It may have used the time of its start while HBase did not respond. */
  @Test
  void beginsAnewIfAReadyPodWasEvicted() {
    var evicted = new PodTrouble(PodTrouble.Kind.EVICTED, "was ended by its node");
    minutes(Scene.ready(pod("a")));
    assertThat(minutes(Scene.ready(pod("a")))).isEqualTo(1);
    assertThat(minutes(Scene.with(pod("a"), evicted))).isZero();
    assertThat(minutes(pod("b"))).isEqualTo(1);
  }

  @Test
  void beginsAnewIfTheNodeOfAReadyPodWasSilent() {
    var silent = new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node");
    minutes(Scene.ready(pod("a")));
    assertThat(minutes(Scene.ready(pod("a")))).isEqualTo(1);
    assertThat(minutes(Scene.with(pod("a"), silent))).isZero();
    assertThat(minutes(pod("a"))).isEqualTo(1);
    assertThat(minutes(Scene.with(pod("a"), silent))).as("it was not ready").isEqualTo(1);
  }

  @Test
  void continuesAfterAProcessThatEndsByItself() {
    minutes(Scene.ready(pod("a")));

    assertThat(minutes(ServerPodBuilder.builder(pod("a")).restarts(1).build())).isEqualTo(1);
  }

  @Test
  void timeWithoutReconciliationDoesNotCount() {
    minutes(pod("a"));
    nanos += Duration.ofHours(1).toNanos();

    assertThat(minutes(pod("a"))).isZero();
  }

  /** An outage may have begun right after a reconciliation, and ended right before one. */
  @Test
  void timeOfAnOutageDoesNotCount() {
    minutes(pod("a"));
    assertThat(minutes(pod("a"))).isEqualTo(1);
    mayStart = false;
    assertThat(minutes(pod("a"))).as("in which it began").isEqualTo(1);
    assertThat(minutes(pod("a"))).isEqualTo(1);
    mayStart = true;
    assertThat(minutes(pod("a"))).as("in which it ended").isEqualTo(1);
    assertThat(minutes(pod("a"))).isEqualTo(2);
    assertThat(minutes(pod("b"))).as("of the next pod").isEqualTo(3);
  }

  /** An outage that hides a pod's readiness would leave the next pod the rest of the time. */
  @Test
  void beginsAnewAfterAPodThatWasReadyInAnOutage() {
    minutes(pod("a"));
    assertThat(minutes(pod("a"))).isEqualTo(1);
    mayStart = false;
    minutes(Scene.ready(pod("a")));
    mayStart = true;

    assertThat(minutes(pod("b"))).isZero();
    assertThat(minutes(pod("b"))).isEqualTo(1);
  }

  @Test
  void processThatEndsInTheLastSecondOfAnOutageIsHindered() {
    minutes(ended("a", 0));
    mayStart = false;
    minutes(ended("a", 1));
    mayStart = true;
    minutes(ended("a", 2));

    assertThat(starts.wasHindered(ended("a", 2))).isTrue();
    assertThat(starts.wasHindered(ended("a", 4))).isTrue();
    assertThat(starts.wasHindered(ended("a", 5))).isFalse();
    assertThat(starts.wasHindered(ended("b", 2))).as("another pod").isFalse();
  }

  /** Its node may have been silent since, which begins another start. */
  @Test
  void processStaysHinderedIfTheStartOfItsPodBeginsAnew() {
    minutes(ended("a", 0));
    mayStart = false;
    minutes(ended("a", 2));
    mayStart = true;
    minutes(ended("a", 2));
    minutes(Scene.ready(ended("a", 2)));
    minutes(Scene.with(ended("a", 2), SILENT));
    minutes(ended("a", 3));

    assertThat(starts.wasHindered(ended("a", 3))).isTrue();
  }

  /** What this process did not watch may have been an outage. */
  @Test
  void processThatEndedUnwatchedIsHindered() {
    minutes(ended("a", 2));
    assertThat(starts.wasHindered(ended("a", 4))).as("before the first reconciliation").isTrue();
    minutes(ended("a", 5));
    assertThat(starts.wasHindered(ended("a", 5))).isFalse();

    minutes(ended("b", 0));
    nanos += Duration.ofHours(1).toNanos();
    minutes(ended("b", 2));
    assertThat(starts.wasHindered(ended("b", 2))).as("in a break").isTrue();
  }

  /** Its container, or one before it, fails for a reason of its own. */
  @Test
  void podWhoseServerDidNotEndTwiceIsNotHindered() {
    mayStart = false;
    minutes(ended("a", 0));
    mayStart = true;
    minutes(ended("a", 0));

    assertThat(starts.wasHindered(ended("a", 0))).isFalse();
    assertThat(starts.wasHindered(ended("a", 1))).isFalse();
    assertThat(starts.wasHindered(ended("a", 2))).isTrue();
  }

  private static ServerPod ended(String uid, int times) {
    return ServerPodBuilder.builder(pod(uid)).restarts(times).build();
  }

  @Test
  void forgetsPodsThatAreNotDeclared() {
    minutes(pod("a"));

    assertThat(starts.next(List.of(pod("a")), Set.of(), mayStart, nanos).starts()).isEmpty();
  }

  private void missing() {
    pass(List.of());
  }

  private long minutes(ServerPod pod) {
    pass(List.of(pod));
    return starts.lasted(NAME).orElseThrow().toMinutes();
  }

  private void pass(List<ServerPod> pods) {
    nanos += Duration.ofMinutes(1).toNanos();
    starts = starts.next(pods, Set.of(NAME), mayStart, nanos);
  }

  private static ServerPod pod(String uid) {
    return new ServerPod(
        NAME, uid, "", 0, false, false, false, false, false, 0, false, Optional.empty());
  }
}
