package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many requests views cost the master, and how old the parts of a view are. */
class ViewRequestsTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");

  /** As {@link HBaseControl} has it at rest. */
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Map<String, Integer> SERVERS_ALONE = Map.of("getClusterMetrics", 1);
  private static final Map<String, Integer> ALL =
      Map.of(
          "getClusterMetrics",
          1,
          "isNormalizerEnabled",
          1,
          "listDecommissionedRegionServers",
          1,
          "getProcedures",
          1);

  private final CountedMaster master = new CountedMaster();
  private final TestClock clock = TestClock.at(NOW);
  private final ViewReader reader =
      new ViewReader(new ResourceID("hb", "test"), Map::of, failure -> {}, clock);
  private Instant restSince = NOW.minusSeconds(60);

  @BeforeEach
  void readFirstView() {
    atRest();
    assertThat(master.requests()).isEqualTo(ALL);
  }

  @Test
  void requestsRarePartsOnceInAMinuteAtRest() {
    for (int i = 0; i < 30; i++) {
      clock.advance(PERIOD);
      var view = atRest();
      assertThat(Duration.between(view.requestedAt(), clock.instant()))
          .as("age of the oldest part")
          .isLessThan(Duration.ofMinutes(1));
      assertThat(view.serversAt()).isEqualTo(clock.instant());
    }

    assertThat(master.requests())
        .isEqualTo(
            Map.of(
                "getClusterMetrics",
                30,
                "isNormalizerEnabled",
                5,
                "listDecommissionedRegionServers",
                5,
                "getProcedures",
                5));
  }

  @Test
  void requestsAllPartsOfEachViewDuringARollout() {
    for (int i = 0; i < 3; i++) {
      clock.advance(PERIOD);
      assertThat(duringRollout().requestedAt()).isEqualTo(clock.instant());
      assertThat(master.requests()).isEqualTo(ALL);
    }
  }

  @Test
  void viewAtRestHasChangeOfBalancerAtOnceAndOfNormalizerWithinAMinute() {
    master.isBalancerOn = false;
    master.isNormalizerOn = false;

    clock.advance(PERIOD);
    assertThat(atRest().isBalancerOn()).isFalse();
    clock.advance(PERIOD.multipliedBy(5));
    assertThat(atRest().isNormalizerOn()).isFalse();
  }

  @Test
  void requestsAllPartsOnceAfterACommand() {
    clock.advance(PERIOD);
    restSince = clock.instant();
    master.draining = List.of(master.live.get(0));
    clock.advance(Duration.ofMillis(1));

    assertThat(atRest().draining()).containsExactly(master.live.get(0));
    assertThat(master.requests()).isEqualTo(ALL);
    clock.advance(PERIOD);
    assertThat(atRest().draining()).containsExactly(master.live.get(0));
    assertThat(master.requests()).isEqualTo(SERVERS_ALONE);
  }

  @Test
  void requestsAllPartsOfANewMaster() {
    master.name = "hb-master-1.hb,16000,2";
    clock.advance(PERIOD);
    atRest();

    assertThat(master.requests()).isEqualTo(ALL);
  }

  @Test
  void masterThatStartsGivesNoView() {
    master.name = "hb-master-1.hb,16000,2";
    master.isStarting = true;

    for (int i = 0; i < 3; i++) {
      clock.advance(PERIOD);
      assertThat(reader.read(master.connection(), Set.of(), Optional.of(restSince)))
          .isCompletedExceptionally();
    }
    assertThat(reader.last().map(HBaseView::serversAt)).hasValue(NOW);
  }

  /** No view has a part without a response, or an older one than a view at rest may have. */
  @ParameterizedTest
  @ValueSource(
      strings = {"isNormalizerEnabled", "listDecommissionedRegionServers", "getProcedures"})
  void failedRequestOfARarePartGivesNoViewAndIsRepeated(String request) {
    var lost = master.live.get(1);
    master.live = List.of(master.live.get(0));
    master.draining = List.of(lost);
    master.isNormalizerOn = false;
    master.instead.put(request, CompletableFuture.failedFuture(new IOException("fails")));

    for (int i = 0; i < 2; i++) {
      clock.advance(PERIOD);
      assertThat(reader.read(master.connection(), Set.of(), Optional.of(restSince)))
          .isCompletedExceptionally();
      assertThat(master.requests()).isEqualTo(ALL);
      assertThat(reader.last().map(HBaseView::serversAt)).hasValue(NOW);
    }

    master.instead.clear();
    clock.advance(PERIOD);
    var view = atRest();
    assertThat(master.requests()).isEqualTo(ALL);
    assertThat(view.requestedAt()).isEqualTo(clock.instant());
    assertThat(view.isNormalizerOn()).isFalse();
    assertThat(view.draining()).containsExactly(lost);
    assertThat(view.crashed()).as("it has left since the last view").containsExactly(lost);
  }

  @Test
  void requestsAllPartsUntilRegionsOfALostServerAreTakenOver() {
    var lost = master.live.get(1);
    master.live = List.of(master.live.get(0));
    clock.advance(PERIOD);
    assertThat(atRest().crashed()).as("before its procedure starts").containsExactly(lost);

    master.procedures = crashOf("hb-rs-1.hb", "WAITING");
    for (int i = 0; i < 3; i++) {
      clock.advance(PERIOD);
      master.requests();
      assertThat(atRest().crashed()).containsExactly(lost);
      assertThat(master.requests()).isEqualTo(ALL);
    }

    master.procedures = crashOf("hb-rs-1.hb", "SUCCESS");
    clock.advance(PERIOD);
    assertThat(atRest().crashed()).isEmpty();
    master.requests();
    clock.advance(PERIOD);
    atRest();
    assertThat(master.requests()).isEqualTo(SERVERS_ALONE);
  }

  /** It counts as one that has just left: its procedure may start yet. */
  @Test
  void serverThatLeftBeforeClockIsSetBackCountsForFiveSecondsMore() {
    var lost = master.live.get(1);
    master.live = List.of(master.live.get(0));
    clock.advance(PERIOD);
    atRest();
    clock.advance(Duration.ofHours(-1));
    restSince = clock.instant().minusSeconds(60);

    assertThat(atRest().crashed()).containsExactly(lost);
    clock.advance(PERIOD);
    assertThat(atRest().crashed()).isEmpty();
    master.requests();
    clock.advance(PERIOD);
    atRest();
    assertThat(master.requests()).isEqualTo(SERVERS_ALONE);
  }

  @Test
  void requestsAllPartsOfARestartedServer() {
    master.live = List.of(master.live.get(0), "hb-rs-1.hb,16020,2");
    clock.advance(PERIOD);

    assertThat(atRest().crashed()).containsExactly("hb-rs-1.hb,16020,1");
    assertThat(master.requests()).isEqualTo(ALL);
  }

  @Test
  void requestsAllPartsAfterClockIsSetBackOrForward() {
    clock.advance(Duration.ofHours(-1));
    restSince = clock.instant().minusSeconds(60);
    assertThat(atRest().requestedAt()).isEqualTo(clock.instant());
    assertThat(master.requests()).isEqualTo(ALL);

    clock.advance(Duration.ofHours(2));
    assertThat(atRest().requestedAt()).isEqualTo(clock.instant());
    assertThat(master.requests()).isEqualTo(ALL);
  }

  /** The last command ended at a time that is still to come. */
  @Test
  void requestsRarePartsOnceInAMinuteAfterClockIsSetBackBehindTheLastCommand() {
    clock.advance(Duration.ofHours(-1));
    for (int i = 0; i < 30; i++) {
      clock.advance(PERIOD);
      assertThat(Duration.between(atRest().requestedAt(), clock.instant()))
          .isLessThan(Duration.ofMinutes(1));
    }
    assertThat(master.requests()).containsEntry("listDecommissionedRegionServers", 5);

    restSince = restSince.plusSeconds(1);
    clock.advance(PERIOD);
    atRest();
    assertThat(master.requests()).as("another command has ended").isEqualTo(ALL);
  }

  /** Until then, commands of the process before may take effect. */
  @Test
  void requestsAllPartsUntilTheRestBegins() {
    restSince = clock.instant().plusSeconds(20);
    for (int i = 0; i < 3; i++) {
      clock.advance(PERIOD);
      atRest();
      assertThat(master.requests()).isEqualTo(ALL);
    }

    clock.advance(PERIOD);
    atRest();
    assertThat(master.requests()).isEqualTo(SERVERS_ALONE);
  }

  /** By their times, the parts were requested after the command. */
  @Test
  void requestsAllPartsAfterACommandThatEndedAfterClockIsSetBack() {
    clock.advance(Duration.ofSeconds(-5));
    restSince = clock.instant().plusSeconds(2);
    master.draining = List.of(master.live.get(0));
    clock.advance(PERIOD);

    assertThat(atRest().draining()).containsExactly(master.live.get(0));
  }

  @Test
  void firstViewOfARolloutHasNoPartOfTheViewsAtRest() {
    clock.advance(PERIOD);
    atRest();
    var started = clock.instant();
    master.isNormalizerOn = false;

    clock.advance(Duration.ofSeconds(1));
    assertThat(atRest().requestedAt())
        .as("requested before the rollout was seen, and no view of it")
        .isBefore(started);
    var first = duringRollout();
    assertThat(first.requestedAt()).isAfter(started);
    assertThat(first.isNormalizerOn()).isFalse();
  }

  private HBaseView atRest() {
    return reader.read(master.connection(), Set.of(), Optional.of(restSince)).join();
  }

  private HBaseView duringRollout() {
    return reader.read(master.connection(), Set.of(), Optional.empty()).join();
  }

  private static String crashOf(String host, String state) {
    return """
        [{"className": "org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure",
          "state": "%s",
          "stateMessage": [{"serverName": {"hostName": "%s", "port": 16020, "startCode": 1}}]}]
        """
        .formatted(state, host);
  }
}
