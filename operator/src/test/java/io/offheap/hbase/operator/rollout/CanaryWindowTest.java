package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.CanaryVerdict.Open;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Passed;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Worse;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a canary gets a verdict, and by which evidence. */
class CanaryWindowTest {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final Duration LENGTH = Duration.ofMinutes(10);
  private static final Instant END = START.plus(LENGTH);
  private static final Instant LATE = END.plus(LENGTH);
  private static final Canary CANARY = new Canary("", "hb-rs-2", START, "uid", 3);
  private static final Set<String> PEERS = Set.of("hb-rs-0", "hb-rs-1");

  private Instant watched = START.minusSeconds(60);
  private int restarts = 3;
  private Optional<HBaseView> view = Optional.empty();

  @Test
  void passesAtEndOfWindow() {
    var first = List.of(sample("hb-rs-2", START), sample("hb-rs-0", START));

    assertThat(verdict(END.minusSeconds(1), first, samples(END.minusSeconds(1))))
        .isInstanceOf(Open.class);
    assertThat(verdict(END, first, samples(END))).isInstanceOf(Passed.class);
  }

  @Test
  void containerRestartIsWorseAtOnce() {
    restarts = 5;

    assertThat(verdict(START.plusSeconds(1), List.of(), List.of()))
        .isEqualTo(new Worse(List.of("container of hb-rs-2 restarted 2 times")));
  }

  @Test
  void notAliveIsWorseByFreshViewOnly() {
    var now = START.plusSeconds(60);
    view = Optional.of(view(now, "hb-rs-0"));
    assertThat(verdict(now, List.of(), List.of()))
        .isEqualTo(new Worse(List.of("hb-rs-2 is not alive any more")));

    view = Optional.of(view(now.minusSeconds(15), "hb-rs-0"));
    assertThat(verdict(now, List.of(), List.of())).isInstanceOf(Open.class);
    view = Optional.of(view(now.plusSeconds(1), "hb-rs-0"));
    assertThat(verdict(now, List.of(), List.of())).isInstanceOf(Open.class);
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

  @Test
  void noVerdictWithoutAnyMetrics() {
    assertThat(verdict(LATE.plus(Duration.ofDays(1)), List.of(), List.of()))
        .isInstanceOf(Open.class);
    assertThat(
            verdict(LATE, List.of(sample("hb-rs-2", START), sample("hb-rs-0", START)), List.of()))
        .isInstanceOf(Open.class);
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

  private CanaryVerdict verdict(Instant now, List<ServerSample> first, List<ServerSample> latest) {
    return window(now).verdict(restarts, view, first, latest, PEERS);
  }

  private CanaryWindow window(Instant now) {
    return new CanaryWindow(CANARY, LENGTH, watched, now);
  }

  private static List<ServerSample> samples(Instant at) {
    return List.of(sample("hb-rs-2", at), sample("hb-rs-0", at));
  }

  private static ServerSample sample(String pod, Instant at) {
    return new ServerSample(
        pod,
        pod + ".hb,16020,1",
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

  private static HBaseView view(Instant requestedAt, String pod) {
    return new HBaseView(
        requestedAt,
        Optional.empty(),
        Set.of(),
        List.of(new Server(pod + ".hb,16020,1", 1)),
        Set.of(),
        Set.of(),
        Set.of(),
        false,
        false,
        Map.of());
  }
}
