package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.CanaryComparison.Observed;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Open;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Passed;
import io.offheap.hbase.operator.rollout.CanaryVerdict.Worse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** When a canary is worse than its peers. */
class CanaryComparisonTest {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final Instant END = START.plus(WINDOW);
  private static final long GIB = 1L << 30;

  private final Figures peer = new Figures("1", 0.001, 0.01, 50, 10, 10_000, 0, 0);

  @Test
  void passesWithEvidenceIfAsGoodAsPeers() {
    assertThat(verdict(peer)).isInstanceOf(Passed.class);
    assertThat(((Passed) verdict(peer)).evidence())
        .containsExactly(
            "heap share of allocated bytes 0.10 % against 0.10 %",
            "share of time in collections 1.00 % against 1.00 %",
            "longest pause 50 ms against 50 ms",
            "99 % of the requests within 10 ms against 10 ms",
            "share of requests that failed 0.00 % against 0.00 %");
  }

  @Test
  void higherHeapShareIsWorse() {
    assertWorse(peer.heap(0.032), "heap share of allocated bytes 3.20 % against 0.10 %");
    assertPasses(peer.heap(0.020), "many times more of next to nothing");
    assertPasses(peer.heap(0.18), "eight points more, but not twice as much", peer.heap(0.1));
  }

  @Test
  void moreTimeInCollectionsIsWorse() {
    assertWorse(peer.gc(0.05), "share of time in collections 5.00 % against 1.00 %");
    assertPasses(peer.gc(0.029), "not two percent of the time more");
    assertPasses(peer.gc(0.14), "not half more", peer.gc(0.1));
  }

  @Test
  void collectionTimeMayGrowWithRequests() {
    assertPasses(peer.gc(0.06).requests(30_000), "as much for each request", peer.gc(0.02));
    assertWorse(
        peer.gc(0.10).requests(30_000),
        "share of time in collections 10.00 % against 6.00 %",
        peer.gc(0.02));
    assertWorse(
        peer.gc(0.05).requests(5_000), "share of time in collections 5.00 % against 1.00 %");
  }

  @Test
  void longerPauseIsWorse() {
    assertWorse(peer.pause(300), "longest pause 300 ms against 50 ms");
    assertPasses(peer.pause(249), "not 200 ms longer");
    assertPasses(peer.pause(1900), "not twice as long", peer.pause(1000));
  }

  @Test
  void slowerRequestsAreWorse() {
    assertWorse(peer.p99(31), "99 % of the requests within 31 ms against 10 ms");
    assertPasses(peer.p99(29), "not 20 ms more");
    assertPasses(peer.p99(140), "not half more", peer.p99(100));
  }

  @Test
  void ignoresTimesDuringWarmUp() {
    var young = Long.toString(END.minusSeconds(119).toEpochMilli());
    var slow = new Figures(young, 0.001, 0.5, 5000, 900, 10_000, 0, 0);

    assertPasses(slow, "119 s old");
    assertThat(((Passed) verdict(slow)).evidence())
        .contains("99 % of the requests within: hb-rs-2 warms up");
    assertThat(((Passed) verdict(slow.bytes(10 << 20))).evidence())
        .contains("heap share of allocated bytes: hb-rs-2 has too little");
    assertWorse(
        new Figures(young, 0.032, 0.01, 50, 10, 10_000, 0, 0),
        "heap share of allocated bytes 3.20 % against 0.10 %");
  }

  @Test
  void moreErrorsAreWorse() {
    assertWorse(peer.errors(11), "share of requests that failed 0.11 % against 0.00 %");
    assertPasses(peer.errors(9), "not one in a thousand");
    assertPasses(peer.errors(190), "not twice as many", peer.errors(100));
  }

  @Test
  void evidenceHasExactlyTheWorseValues() {
    var worse = verdict(peer.heap(0.5).p99(500));

    assertThat(((Worse) worse).evidence())
        .containsExactly(
            "heap share of allocated bytes 50.00 % against 0.10 %",
            "99 % of the requests within 500 ms against 10 ms");
  }

  /** A value that a peer reaches too is not caused by the change. */
  @Test
  void comparesWithWorstPeer() {
    assertPasses(peer.p99(400), "one of three is as slow", peer, peer.p99(390), peer);
    assertPasses(peer.p99(400).gc(0.2), "each in its own", peer, peer.p99(390), peer.gc(0.2));
  }

  @Test
  void noVerdictBeforeWindowEnds() {
    var bad = peer.heap(0.9).gc(0.9).p99(9000).errors(9000);

    assertThat(
            CanaryComparison.compare(
                new Observed(bad.base(), bad.now()), peers(peer), WINDOW, END.minusSeconds(1)))
        .isEqualTo(new Open());
  }

  @Test
  void tooFewRequestsAreNoEvidence() {
    var idle = verdict(peer.requests(900).p99(9000).pause(9000));
    assertThat(((Passed) idle).evidence())
        .contains(
            "99 % of the requests within: hb-rs-2 has too little",
            "heap share of allocated bytes 0.10 % against 0.10 %");

    var idlePeers = verdict(peer.p99(9000), peer.requests(900));
    assertThat(((Passed) idlePeers).evidence())
        .contains("99 % of the requests within: too little on its peers");
  }

  @Test
  void tooFewBytesAreNoEvidence() {
    assertThat(((Passed) verdict(peer.heap(0.9).bytes(10 << 20))).evidence())
        .contains("heap share of allocated bytes: hb-rs-2 has too little");
  }

  @Test
  void idlePeersShareIsOfItsWholeLife() {
    var idle = peer.bytes(10 << 20);

    assertWorse(
        peer.heap(0.9), "heap share of allocated bytes 90.00 % against 43.72 %", idle, idle);
    assertPasses(peer.heap(0.85), "not twice as much", idle);
  }

  @Test
  void ignoresIdlePeerBesideBusyPeer() {
    assertWorse(
        peer.p99(400),
        "99 % of the requests within 400 ms against 10 ms",
        peer,
        peer.p99(390).requests(5));
  }

  @Test
  void unknownValuesAreNoEvidence() {
    assertThat(((Passed) verdict(peer.pause(Double.NaN))).evidence())
        .contains("longest pause: hb-rs-2 has too little");
  }

  @Test
  void ignoresRestartedPeer() {
    var slow = peer.p99(390);
    var restarted = new Observed(slow.base(), slow.restarts(1).now("9"));
    var replaced = new Observed(slow.base(), slow.now("9"));
    var canary = peer.p99(400);

    assertThat(
            CanaryComparison.compare(
                new Observed(canary.base(), canary.now()),
                List.of(restarted, replaced, new Observed(peer.base(), peer.now())),
                WINDOW,
                END))
        .isInstanceOf(Worse.class);
    assertThat(
            CanaryComparison.compare(
                new Observed(canary.base(), canary.now()),
                List.of(restarted, replaced),
                WINDOW,
                END.plus(WINDOW)))
        .isEqualTo(new Passed(List.of("no peer to compare with")));
  }

  @Test
  void waitsSecondWindowForPeersMetrics() {
    var bad = peer.heap(0.9);

    var early =
        CanaryComparison.compare(
            new Observed(bad.base(), bad.now()), List.of(), WINDOW, END.plusSeconds(1));
    var late =
        CanaryComparison.compare(
            new Observed(bad.base(), bad.now()), List.of(), WINDOW, END.plus(WINDOW));

    assertThat(early).isEqualTo(new Open());
    assertThat(late).isEqualTo(new Passed(List.of("no peer to compare with")));
  }

  /** Its sums are those of a young process, though not smaller than the first sample's. */
  @Test
  void replacedCanaryCountsFromItsNewStart() {
    long start = START.plusSeconds(300).toEpochMilli();
    var server = "hb-rs-2.hb,16020," + start;
    var base = peer.base();
    var half =
        new ServerSample(
            "hb-rs-2",
            server,
            END,
            GIB / 1000,
            GIB,
            30_000,
            OptionalDouble.of(50),
            OptionalDouble.of(10),
            5_000,
            0,
            0);

    var verdict = CanaryComparison.compare(new Observed(base, half), peers(peer), WINDOW, END);

    assertThat(((Worse) verdict).evidence())
        .containsExactly("share of time in collections 10.00 % against 1.00 %");
  }

  private void assertWorse(Figures canary, String line, Figures... peers) {
    var verdict = verdict(canary, peers);
    assertThat(verdict).isEqualTo(new Worse(List.of(line)));
  }

  private void assertPasses(Figures canary, String why, Figures... peers) {
    assertThat(verdict(canary, peers)).as(why).isInstanceOf(Passed.class);
  }

  private CanaryVerdict verdict(Figures canary, Figures... peers) {
    return CanaryComparison.compare(
        new Observed(canary.base(), canary.now()),
        peers(peers.length == 0 ? new Figures[] {peer} : peers),
        WINDOW,
        END);
  }

  private static List<Observed> peers(Figures... peers) {
    return List.of(peers).stream().map(it -> new Observed(it.base(), it.now())).toList();
  }

  /** A server's window; its process was busy before it too. */
  private record Figures(
      String startCode,
      double heap,
      double gc,
      double pause,
      double p99,
      long requests,
      long errors,
      int restarts,
      long bytes) {
    Figures(
        String startCode,
        double heap,
        double gc,
        double pause,
        double p99,
        long requests,
        long errors,
        int restarts) {
      this(startCode, heap, gc, pause, p99, requests, errors, restarts, 10 * GIB);
    }

    Figures heap(double share) {
      return new Figures(startCode, share, gc, pause, p99, requests, errors, restarts, bytes);
    }

    Figures gc(double share) {
      return new Figures(startCode, heap, share, pause, p99, requests, errors, restarts, bytes);
    }

    Figures pause(double millis) {
      return new Figures(startCode, heap, gc, millis, p99, requests, errors, restarts, bytes);
    }

    Figures p99(double millis) {
      return new Figures(startCode, heap, gc, pause, millis, requests, errors, restarts, bytes);
    }

    Figures requests(long count) {
      return new Figures(startCode, heap, gc, pause, p99, count, errors, restarts, bytes);
    }

    Figures errors(long count) {
      return new Figures(startCode, heap, gc, pause, p99, requests, count, restarts, bytes);
    }

    Figures restarts(int count) {
      return new Figures(startCode, heap, gc, pause, p99, requests, errors, count, bytes);
    }

    Figures bytes(long count) {
      return new Figures(startCode, heap, gc, pause, p99, requests, errors, restarts, count);
    }

    ServerSample base() {
      return sample(startCode, START, 7 * GIB, 9 * GIB, 70_000, 1_000_000, 5_000, 0);
    }

    ServerSample now() {
      return now(startCode);
    }

    ServerSample now(String code) {
      return sample(
          code,
          END,
          7 * GIB + Math.round(bytes * heap),
          9 * GIB + Math.round(bytes * (1 - heap)),
          70_000 + Math.round(WINDOW.toMillis() * gc),
          1_000_000 + requests,
          5_000 + errors,
          restarts);
    }

    private ServerSample sample(
        String code,
        Instant at,
        long heapBytes,
        long poolBytes,
        long gcMillis,
        long total,
        long failed,
        int count) {
      return new ServerSample(
          "hb-rs-2",
          "hb-rs-2.hb,16020," + code,
          at,
          heapBytes,
          poolBytes,
          gcMillis,
          Double.isNaN(pause) ? OptionalDouble.empty() : OptionalDouble.of(pause),
          OptionalDouble.of(p99),
          total,
          failed,
          count);
    }
  }
}
