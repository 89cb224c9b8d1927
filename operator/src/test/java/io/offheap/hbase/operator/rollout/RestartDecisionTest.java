package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.RestartDecision.Done;
import io.offheap.hbase.operator.rollout.RestartDecision.Reason;
import io.offheap.hbase.operator.rollout.RestartDecision.Restart;
import io.offheap.hbase.operator.rollout.RestartDecision.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of {@link RestartDecision}, one by one and in their order, for three servers. */
class RestartDecisionTest {
  private static final int REPLICAS = 3;

  @Test
  void nothingRestartsWhileEveryServerIsUpToDate() {
    assertThat(decide(current(0), current(1), current(2))).isEqualTo(new Done());
  }

  @Test
  void serversThatWereNeverThereAreNotWaitedFor() {
    assertThat(decide()).isEqualTo(new Done());
    assertThat(decide(current(0).startingUp())).isEqualTo(new Done());
  }

  @Test
  void upToDateServerThatDoesNotServeIsLeftToKubernetes() {
    assertThat(decide(current(0), current(1).startingUp(), current(2))).isEqualTo(new Done());
  }

  @Test
  void nothingGoesBeforeTheNewTemplateIsSeen() {
    var pods = List.of(outdated(0).pod(), outdated(1).pod(), outdated(2).pod());

    assertThat(decide(pods, REPLICAS, false)).isEqualTo(new Wait(Reason.TEMPLATE_NOT_OBSERVED, ""));
  }

  @Test
  void nothingGoesWhileAServerIsStopping() {
    assertThat(decide(outdated(0), outdated(1), outdated(2).stopping()))
        .isEqualTo(new Wait(Reason.POD_TERMINATING, "hb-regionserver-2"));
    assertThat(decide(outdated(0), current(1).stopping(), current(2)))
        .as("whoever stops it")
        .isEqualTo(new Wait(Reason.POD_TERMINATING, "hb-regionserver-1"));
  }

  @Test
  void nothingGoesWhileAServerIsMissing() {
    assertThat(decide(outdated(0), outdated(1))).isEqualTo(new Wait(Reason.POD_MISSING, ""));
  }

  @Test
  void nothingGoesWhileARestartedServerDoesNotServe() {
    assertThat(decide(outdated(0), outdated(1), current(2).startingUp()))
        .isEqualTo(new Wait(Reason.POD_NOT_SERVING, "hb-regionserver-2"));
  }

  @Test
  void outdatedServerThatDoesNotServeIsNoReasonToWaitAndGoesFirst() {
    assertThat(decide(outdated(0).startingUp(), outdated(1), outdated(2)))
        .isEqualTo(new Restart("hb-regionserver-0"));
  }

  @Test
  void amongThoseThatDoNotServeTheHighestOrdinalGoesFirst() {
    assertThat(decide(outdated(0).startingUp(), outdated(1).startingUp(), outdated(2)))
        .isEqualTo(new Restart("hb-regionserver-1"));
  }

  @Test
  void amongThoseThatServeTheHighestOrdinalGoesFirst() {
    assertThat(decide(outdated(0), outdated(1), outdated(2)))
        .isEqualTo(new Restart("hb-regionserver-2"));
    assertThat(decide(outdated(0), outdated(1), current(2)))
        .isEqualTo(new Restart("hb-regionserver-1"));
  }

  @Test
  void ordinalsAreNumbersAndNoTexts() {
    var pods = IntStream.range(0, 11).mapToObj(ordinal -> outdated(ordinal).pod()).toList();

    assertThat(decide(pods, 11, true)).isEqualTo(new Restart("hb-regionserver-10"));
  }

  @Test
  void pausedClusterRestartsNothing() {
    for (Server server : List.of(outdated(0), outdated(0).startingUp())) {
      assertThat(RestartDecision.of(List.of(server.pod()), 1, true, rules(true, true)))
          .isEqualTo(new Wait(Reason.PAUSED, ""));
    }
    assertThat(RestartDecision.of(List.of(current(0).pod()), 1, true, rules(true, true)))
        .isEqualTo(new Done());
  }

  /** What serves nothing loses nothing, as with HBase's own servers. */
  @Test
  void outsideOfAWindowOnlyWhatDoesNotServeRestarts() {
    assertThat(RestartDecision.of(List.of(outdated(0).pod()), 1, true, rules(false, false)))
        .isEqualTo(new Wait(Reason.OUTSIDE_WINDOW, "hb-regionserver-0"));
    assertThat(
            RestartDecision.of(
                List.of(outdated(0).startingUp().pod()), 1, true, rules(false, false)))
        .isEqualTo(new Restart("hb-regionserver-0"));
  }

  @Test
  void serverTooManyIsNoReasonToWait() {
    assertThat(decide(outdated(0), outdated(1), outdated(2), current(3)))
        .isEqualTo(new Restart("hb-regionserver-2"));
  }

  /** Informers give no order. */
  @Test
  void orderOfThePodsDecidesNothing() {
    var pods = new ArrayList<PodState>();
    for (int ordinal = 0; ordinal < 5; ordinal++) {
      pods.add(outdated(ordinal).pod());
    }
    for (int restart = 0; restart < pods.size(); restart++) {
      Collections.rotate(pods, 1);
      assertThat(decide(pods, 5, true)).isEqualTo(new Restart("hb-regionserver-4"));
    }
  }

  /** One decision after the other leads from all outdated to none, each server once. */
  @Test
  void rolloutRestartsEachServerOnceAndOneAtATime() {
    var pods = new ArrayList<>(List.of(outdated(0).pod(), outdated(1).pod(), outdated(2).pod()));
    var restarted = new ArrayList<String>();

    while (decide(pods, REPLICAS, true) instanceof Restart restart) {
      restarted.add(restart.pod());
      int ordinal = REPLICAS - restarted.size();
      pods.set(ordinal, outdated(ordinal).stopping().pod());
      assertWaits(pods, Reason.POD_TERMINATING, ordinal);
      pods.set(ordinal, current(ordinal).startingUp().pod());
      assertWaits(pods, Reason.POD_NOT_SERVING, ordinal);
      pods.set(ordinal, current(ordinal).pod());
    }

    assertThat(restarted)
        .containsExactly("hb-regionserver-2", "hb-regionserver-1", "hb-regionserver-0");
  }

  /** After the last one nothing is outdated, so that nobody waits for it here. */
  private static void assertWaits(List<PodState> pods, Reason reason, int ordinal) {
    var decision = decide(pods, REPLICAS, true);
    boolean isLast = pods.stream().noneMatch(PodState::outdated);
    assertThat(decision)
        .isEqualTo(isLast ? new Done() : new Wait(reason, "hb-regionserver-" + ordinal));
  }

  private static RestartDecision decide(
      List<PodState> pods, int replicas, boolean isTemplateObserved) {
    return RestartDecision.of(pods, replicas, isTemplateObserved, rules(false, true));
  }

  private static RolloutRules rules(boolean isPaused, boolean isWindowOpen) {
    return new RolloutRules(
        1, Duration.ZERO, Duration.ZERO, Optional.empty(), isPaused, isWindowOpen);
  }

  private static RestartDecision decide(Server... servers) {
    return decide(List.of(servers).stream().map(Server::pod).toList(), REPLICAS, true);
  }

  private static Server current(int ordinal) {
    return new Server(new PodState("hb-regionserver-" + ordinal, ordinal, false, true, false));
  }

  private static Server outdated(int ordinal) {
    return new Server(new PodState("hb-regionserver-" + ordinal, ordinal, true, true, false));
  }

  /** Reads as a sentence: {@code outdated(1).stopping()}. */
  private record Server(PodState pod) {
    Server startingUp() {
      return new Server(new PodState(pod.name(), pod.ordinal(), pod.outdated(), false, false));
    }

    Server stopping() {
      return new Server(new PodState(pod.name(), pod.ordinal(), pod.outdated(), false, true));
    }
  }
}
