package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.CanaryVerdict.NodeLost;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Noted;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Open;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Passed;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Worse;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a canary gets a verdict, and by which evidence. */
class CanaryWindowTest {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final Duration LENGTH = Duration.ofMinutes(10);
  private static final Instant END = START.plus(LENGTH);
  private static final Instant LATE = END.plus(LENGTH);
  private static final Canary CANARY =
      new Canary(
          "", "hb-rs-2", START, "uid", Optional.empty(), Optional.empty(), Optional.empty(), 3, 0);

  private static final Optional<PodTrouble> SILENT =
      Optional.of(new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node"));

  private Canary canary = CANARY;
  private Instant watched = START.minusSeconds(60);
  private ServerPod pod = pod("hb-rs-2", 3, Optional.empty());
  private final List<ServerPod> peers =
      new ArrayList<>(
          List.of(pod("hb-rs-0", 1, Optional.empty()), pod("hb-rs-1", 4, Optional.empty())));
  private Optional<HBaseView> view = Optional.empty();
  private PodStarts starts = PodStarts.NONE;

  @Test
  void passesAtEndOfWindow() {
    var first = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));

    assertThat(verdict(END.minusSeconds(1), first, samples(END.minusSeconds(1))))
        .isInstanceOf(Open.class);
    assertThat(verdict(END, first, samples(END))).isInstanceOf(Passed.class);
  }

  @Test
  void containerRestartIsWorseAtOnce() {
    pod = pod("hb-rs-2", 5, Optional.empty());

    assertThat(verdict(START.plusSeconds(1), List.of(), List.of()))
        .isEqualTo(new Worse(List.of("container of hb-rs-2 restarted 2 times")));
  }

  @Test
  void endInOutageIsALoss() {
    see(0, 3, true);
    see(1, 3, false);
    see(1, 4, false);
    assertThat(verdict())
        .isEqualTo(new NodeLost("its process ended in an outage of ZooKeeper or HDFS"));
  }

  /** It had lost its log in the outage. */
  @Test
  void endRightAfterOutageIsALoss() {
    see(0, 3, false);
    see(60, 4, true);
    assertThat(verdict()).isInstanceOf(NodeLost.class);
  }

  @Test
  void endLongAfterOutageIsWorse() {
    see(0, 3, false);
    see(61, 4, true);
    assertThat(verdict()).isInstanceOf(Worse.class);
  }

  @Test
  void nextEndAfterOutageIsWorse() {
    see(0, 4, false);
    see(61, 5, true);
    assertThat(verdict()).isInstanceOf(Worse.class);
  }

  @Test
  void outageOfEarlierPodExcusesNoEnd() {
    see(0, 9, false);
    see(61, 9, true);
    pod = ServerPodBuilder.builder(pod).uid("other").restarts(4).build();
    see(1, 4, true);
    assertThat(verdict()).isInstanceOf(Worse.class);
  }

  /** Otherwise each restart of the operator would excuse a server that ends again and again. */
  @Test
  void endThatNoOperatorWatchedIsWorse() {
    see(0, 4, true);
    assertThat(verdict()).isInstanceOf(Worse.class);
  }

  /** A change may also end those servers that take regions over from the canary. */
  @Test
  void restartTogetherWithPeerIsWorse() {
    pod = pod("hb-rs-2", 4, Optional.empty());
    peers.set(0, pod("hb-rs-0", 2, Optional.empty()));

    assertThat(verdict(START.plusSeconds(1), List.of(), List.of())).isInstanceOf(Worse.class);
  }

  /** Kubernetes reports a silent node later than HBase may report its server dead. */
  @Test
  void notAliveIsWorseAfterTwoMinutesByFreshViewOnly() {
    var dead = END.plusSeconds(300);
    view = Optional.of(view(dead, "hb-rs-0"));
    canary = CANARY.withUnlisted(Optional.of(dead));
    assertThat(verdict(dead, samples(START), samples(END))).isInstanceOf(Open.class);
    assertThat(verdict(dead.plusSeconds(1), samples(START), samples(END))).isInstanceOf(Open.class);

    var late = dead.plusSeconds(120);
    view = Optional.of(view(late, "hb-rs-0"));
    assertThat(verdict(late, samples(START), samples(late)))
        .isEqualTo(new Worse(List.of("hb-rs-2 is not alive any more")));
    view = Optional.of(view(late.minusSeconds(15), "hb-rs-0"));
    assertThat(verdict(late, samples(START), List.of())).isNotInstanceOf(Worse.class);
    view = Optional.of(view(late.plusSeconds(1), "hb-rs-0"));
    assertThat(verdict(late, samples(START), List.of())).isNotInstanceOf(Worse.class);
  }

  @Test
  void whenItIsNotAliveIsStored() {
    view = Optional.of(view(END, "hb-rs-0"));
    var since = CANARY.withUnlisted(Optional.of(END));
    assertThat(verdict(END, samples(START), samples(END))).isEqualTo(new Noted(since));

    canary = since;
    view = Optional.of(view(END, "hb-rs-0", "hb-rs-2"));
    assertThat(verdict(END, samples(START), samples(END))).isEqualTo(new Noted(CANARY));
    pod = pod("hb-rs-2", 3, SILENT);
    assertThat(verdict(END, samples(START), samples(END))).isEqualTo(new Noted(CANARY));
  }

  @Test
  void timeWithoutOperatorIsNoTimeInWhichItIsNotAlive() {
    canary = CANARY.withUnlisted(Optional.of(START));
    watched = LATE;
    view = Optional.of(view(LATE.plusSeconds(60), "hb-rs-0"));

    assertThat(verdict(LATE.plusSeconds(60), List.of(), List.of())).isInstanceOf(Open.class);
  }

  @Test
  void notAliveIsNoVerdictWhileNoPeerIsEither() {
    canary = CANARY.withUnlisted(Optional.of(END));
    view = Optional.of(view(LATE, "hb-other-0"));

    assertThat(verdict(LATE, List.of(), List.of())).isInstanceOf(Open.class);
  }

  @Test
  void deadServerOfASilentNodeIsLost() {
    pod = pod("hb-rs-2", 3, SILENT);
    view = Optional.of(view(END, "hb-rs-0", "hb-rs-1"));

    assertThat(verdict(END, samples(START), samples(END))).isInstanceOf(NodeLost.class);
  }

  /** A node that flaps must not hold the comparison up, and is no evidence. */
  @Test
  void serverOfASilentNodePassesAndIsNotWorse() {
    pod = pod("hb-rs-2", 4, SILENT);
    view = Optional.of(view(END, "hb-rs-0", "hb-rs-1", "hb-rs-2"));

    assertThat(verdict(END, samples(START), samples(END))).isInstanceOf(Passed.class);
    view = Optional.of(view(LATE, "hb-rs-0", "hb-rs-1", "hb-rs-2"));
    assertThat(verdict(LATE, samples(START), List.of(sample("hb-rs-0", LATE))))
        .as("without metrics")
        .isInstanceOf(Open.class);
  }

  @Test
  void processThatEndedWithItsNodeIsLost() {
    pod = endedByNode(4);

    assertThat(verdict(START.plusSeconds(1), List.of(), List.of())).isInstanceOf(NodeLost.class);
  }

  @Test
  void earlierEndWithItsNodeIsNoLoss() {
    pod = endedByNode(3);
    view = Optional.of(view(END, "hb-rs-0", "hb-rs-1", "hb-rs-2"));

    assertThat(verdict(END, samples(START), samples(END))).isInstanceOf(Passed.class);
  }

  @Test
  void canaryWithoutMetricsIsWorseIfPeersReport() {
    var first = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));
    var peers = List.of(sample("hb-rs-0", LATE));

    assertThat(verdict(LATE.minusSeconds(1), first, List.of(sample("hb-rs-0", END))))
        .isInstanceOf(Open.class);
    assertThat(verdict(LATE, first, peers))
        .isEqualTo(new Worse(List.of("hb-rs-2 reports no metrics, and its peers report theirs")));
    assertThat(verdict(LATE, List.of(), peers)).isInstanceOf(Worse.class);
  }

  /** The first server that reports again is no evidence for or against the others. */
  @Test
  void comparisonBeginsAnewAfterNoServerReportedMetrics() {
    var before = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));
    for (String first : List.of("hb-rs-2", "hb-rs-0")) {
      canary = CANARY;
      var noted = END.plusSeconds(30);
      assertThat(verdict(noted.minusSeconds(1), before, before)).isInstanceOf(Open.class);
      assertThat(verdict(noted, before, before)).isEqualTo(new Noted(CANARY.withUnreported(noted)));

      canary = CANARY.withUnreported(noted);
      var day = LATE.plus(Duration.ofDays(1));
      assertThat(verdict(day, before, before)).isInstanceOf(Open.class);
      var one = List.of(sample(first, day));
      assertThat(verdict(day, before, one)).isEqualTo(new Noted(CANARY.again(day)));

      canary = CANARY.again(day);
      var late = day.plus(LENGTH).plus(LENGTH);
      var begun = List.of(sample("hb-rs-2", day), sample("hb-rs-0", day));
      assertThat(verdict(day.plusSeconds(1), begun, begun)).isInstanceOf(Open.class);
      assertThat(verdict(late, begun, List.of(sample("hb-rs-0", late)))).isInstanceOf(Worse.class);
      assertThat(verdict(late, begun, samples(late))).isInstanceOf(Passed.class);
    }
  }

  /** A canary that hangs must have its verdict, whatever its peers report. */
  @Test
  void comparisonBeginsAnewOnce() {
    canary = CANARY.again(LATE);
    var late = LATE.plus(LENGTH).plus(LENGTH);
    assertThat(verdict(late, List.of(), List.of()))
        .isEqualTo(new Noted(canary.withUnreported(late)));

    canary = canary.withUnreported(late);
    var day = late.plus(Duration.ofDays(1));
    assertThat(verdict(day, List.of(), List.of())).isInstanceOf(Open.class);
    assertThat(verdict(day, List.of(), List.of(sample("hb-rs-0", day)))).isInstanceOf(Worse.class);
  }

  /** A moment in which no server reports is no outage, or a canary that hangs had no verdict. */
  @Test
  void canaryWithoutMetricsIsWorseAfterAMomentWithoutAny() {
    canary = CANARY.withUnreported(LATE);
    var soon = LATE.plusSeconds(29);
    assertThat(verdict(soon, List.of(), List.of(sample("hb-rs-0", soon))))
        .isInstanceOf(Worse.class);

    watched = LATE.plus(LENGTH);
    var late = watched.plus(LENGTH).plus(LENGTH);
    assertThat(verdict(late, List.of(), List.of(sample("hb-rs-0", late))))
        .as("of the window before the operator was stopped")
        .isInstanceOf(Worse.class);
  }

  @Test
  void windowBeginsAnewAfterOperatorWasStopped() {
    watched = LATE;
    var before = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));
    var after = List.of(sample("hb-rs-2", LATE), sample("hb-rs-0", LATE));

    assertThat(verdict(LATE, before, List.of())).isInstanceOf(Open.class);
    assertThat(window(LATE).first(before, after)).isEqualTo(after);
    assertThat(verdict(LATE.plusSeconds(5), after, samples(LATE.plusSeconds(5))))
        .isInstanceOf(Open.class);
    assertThat(verdict(LATE.plus(LENGTH), after, samples(LATE.plus(LENGTH))))
        .isInstanceOf(Passed.class);
  }

  @Test
  void windowBeginsAnewAfterClockWasSetBack() {
    var now = START.minus(Duration.ofDays(1));
    watched = now.minus(LENGTH);
    var before = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));
    var first = List.of(sample("hb-rs-2", watched), sample("hb-rs-0", watched));

    assertThat(window(now).first(before, first)).isEqualTo(first);
    assertThat(verdict(now, first, samples(now))).isInstanceOf(Passed.class);
  }

  @Test
  void samplesReadDuringReconciliationCount() {
    var first = List.of(sample("hb-rs-2", START.plusMillis(1)));

    assertThat(window(START).first(List.of(), first)).isEqualTo(first);
  }

  private static ServerPod pod(String name, int restarts, Optional<PodTrouble> trouble) {
    return new ServerPod(
        name,
        "uid",
        "",
        0,
        false,
        false,
        trouble.isEmpty(),
        false,
        false,
        restarts,
        false,
        trouble);
  }

  private static ServerPod endedByNode(int restarts) {
    return ServerPodBuilder.builder(pod("hb-rs-2", restarts, Optional.empty()))
        .isEndedByNode(true)
        .build();
  }

  private CanaryVerdict verdict(Instant now, List<ServerSample> first, List<ServerSample> latest) {
    return window(now).verdict(pod, view, first, latest, peers, starts);
  }

  private CanaryVerdict verdict() {
    return verdict(START.plusSeconds(1), List.of(), List.of());
  }

  /** The canary's pod is seen some time after the last reconciliation. */
  private void see(int seconds, int restarts, boolean mayStart) {
    pod = ServerPodBuilder.builder(pod).restarts(restarts).build();
    long nanos = starts.nanos().orElse(0L) + Duration.ofSeconds(seconds).toNanos();
    starts = starts.next(List.of(pod), Set.of(pod.name()), mayStart, nanos);
  }

  private CanaryWindow window(Instant now) {
    return new CanaryWindow(canary, LENGTH, watched, now);
  }

  private static List<ServerSample> samples(Instant at) {
    return List.of(sample("hb-rs-2", at), sample("hb-rs-0", at));
  }

  private static ServerSample sample(String pod, Instant at) {
    return sample(pod, 1, at);
  }

  private static ServerSample sample(String pod, int startCode, Instant at) {
    return new ServerSample(
        pod,
        pod + ".hb,16020," + startCode,
        at,
        0,
        at.toEpochMilli(),
        0,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        at.toEpochMilli(),
        0,
        0);
  }

  private static HBaseView view(Instant requestedAt, String... pods) {
    return new HBaseView(
        requestedAt,
        requestedAt,
        Optional.empty(),
        Set.of(),
        Stream.of(pods).map(it -> new Server(it + ".hb,16020,1", 1)).toList(),
        Set.of(),
        Set.of(),
        Set.of(),
        false,
        false,
        Map.of());
  }
}
