package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Whether the first server with a change performs clearly worse than its peers without the change.
 *
 * <p>For each {@link Criterion}, the canary's value over the window is compared with the worst
 * value of its peers: servers of one group differ, and a value that a peer reaches too is not
 * caused by the change. The canary's value must be larger by a factor <em>and</em> by a slack: the
 * factor excludes chance differences of large values, the slack those of small values.
 *
 * <p>The comparison is made at the end of the window ({@link CanaryWindow}). If no peer reports
 * metrics then, it waits for a second window: HBase removes its beans for a moment after regions
 * were opened or closed. A criterion that cannot be compared, because there are too few requests or
 * no peers, is no evidence against the change; the verdict names it. The same holds for the times
 * of a process that still warms up. A peer that was restarted in the window is left out, since its
 * values are those of a start. A peer with little load in the window is compared by the shares of
 * its whole life: the requested regions may all be on the canary.
 */
public final class CanaryComparison {
  /** With fewer, a single slow one decides a percentile. */
  static final long FEWEST_REQUESTS = 1000;

  /** With less, the buffers that are taken at the start decide. */
  static final long FEWEST_BYTES = 64L << 20;

  /** A younger process compiles its code and fills its caches: its times do not count. */
  static final Duration WARM_UP = Duration.ofMinutes(2);

  private final ServerSample base;
  private final ServerSample now;
  private final List<Observed> peers;

  private CanaryComparison(Observed canary, List<Observed> peers) {
    this.base = canary.base();
    this.now = canary.now();
    this.peers = peers;
  }

  /**
   * A server at the window's beginning and now.
   *
   * @param base the sample at the window's beginning
   * @param now the latest sample
   */
  public record Observed(ServerSample base, ServerSample now) {
    boolean isSameProcess() {
      return base.server().equals(now.server()) && base.restarts() == now.restarts();
    }

    boolean isWarmingUp() {
      var started = Instant.ofEpochMilli(HBaseView.startCode(now.server()));
      return Duration.between(started, now.at()).compareTo(WARM_UP) < 0;
    }

    double perSecond() {
      return requests() * 1000.0 / millis();
    }

    long requests() {
      return now.requests() - base.requests();
    }

    long bytes() {
      return now.heapBytes() - base.heapBytes() + now.poolBytes() - base.poolBytes();
    }

    long millis() {
      return Math.max(1, Duration.between(base.at(), now.at()).toMillis());
    }
  }

  /** The compared values, by how much the canary's must be worse, and the reason. */
  enum Criterion {
    /**
     * Share of the allocator's bytes that came from the heap. The pool exists to avoid it, and a
     * sufficient pool keeps it under one percent: twice the worst peer's share, and two percent of
     * all bytes more.
     */
    HEAP_SHARE("heap share of allocated bytes", 2, 0.02),

    /**
     * Share of time in which collections stopped the process. It grows with the requests, so it may
     * exceed a peer's in proportion to the canary's additional requests: half more than that, and
     * two percent of the time.
     */
    GC_SHARE("share of time in collections", 1.5, 0.02),

    /**
     * The longest pause. A single one is chance, so it must be twice the worst peer's and a fifth
     * of a second longer, which a client sees.
     */
    LONGEST_PAUSE("longest pause", 2, 200),

    /**
     * Processing time of requests, 99th percentile. A restarted server's caches hold less than its
     * peers' for a while: half more, and 20 ms, which is two reads from a disk.
     */
    P99("99 % of the requests within", 1.5, 20),

    /** Requests that end in an exception: twice the share, and one more in a thousand. */
    ERRORS("share of requests that failed", 2, 0.001);

    private final String text;
    private final double factor;
    private final double slack;

    Criterion(String text, double factor, double slack) {
      this.text = text;
      this.factor = factor;
      this.slack = slack;
    }

    boolean isTime() {
      return this == GC_SHARE || this == LONGEST_PAUSE || this == P99;
    }

    boolean isWorse(double canary, double peer) {
      return canary > peer * factor && canary > peer + slack;
    }

    private String line(double canary, double peer) {
      return text + " " + figure(canary) + " against " + figure(peer);
    }

    private String figure(double value) {
      return this == LONGEST_PAUSE || this == P99
          ? String.format(Locale.ROOT, "%.0f ms", value)
          : String.format(Locale.ROOT, "%.2f %%", value * 100);
    }
  }

  /**
   * Compares.
   *
   * @param canary the canary's first and latest sample
   * @param peers the same of the other servers of its group
   * @param window length of the comparison
   * @param time the time
   */
  static CanaryVerdict compare(
      Observed canary, List<Observed> peers, Duration window, Instant time) {
    var end = canary.base().at().plus(window);
    if (time.isBefore(end)) {
      return new CanaryVerdict.Open();
    }
    var steady = peers.stream().filter(Observed::isSameProcess).toList();
    if (steady.isEmpty() && time.isBefore(end.plus(window))) {
      return new CanaryVerdict.Open();
    }
    boolean isSame = canary.base().server().equals(canary.now().server());
    var base = isSame ? canary.base() : canary.now().atStart();
    return new CanaryComparison(new Observed(base, canary.now()), steady).verdict();
  }

  private CanaryVerdict verdict() {
    if (peers.isEmpty()) {
      return new CanaryVerdict.Passed(List.of("no peer to compare with"));
    }
    var worse = new ArrayList<String>();
    var all = new ArrayList<String>();
    for (Criterion criterion : Criterion.values()) {
      var canary = figure(criterion, new Observed(base, now));
      var peer = peers.stream().flatMapToDouble(it -> allowed(criterion, it).stream()).max();
      if (canary.isEmpty() || peer.isEmpty()) {
        all.add(criterion.text + ": " + why(criterion, canary.isEmpty()));
        continue;
      }
      var line = criterion.line(canary.getAsDouble(), peer.getAsDouble());
      all.add(line);
      if (criterion.isWorse(canary.getAsDouble(), peer.getAsDouble())) {
        worse.add(line);
      }
    }
    return worse.isEmpty() ? new CanaryVerdict.Passed(all) : new CanaryVerdict.Worse(worse);
  }

  private String why(Criterion criterion, boolean isCanary) {
    if (!isCanary) {
      return "too little on its peers";
    }
    boolean isWarmingUp = criterion.isTime() && new Observed(base, now).isWarmingUp();
    return now.pod() + (isWarmingUp ? " warms up" : " has too little");
  }

  /** A peer's value, scaled to the canary's request rate. */
  private OptionalDouble allowed(Criterion criterion, Observed peer) {
    var inWindow = figure(criterion, peer);
    var figure =
        inWindow.isEmpty() && !criterion.isTime()
            ? figure(criterion, new Observed(peer.now().atStart(), peer.now()))
            : inWindow;
    if (criterion != Criterion.GC_SHARE || figure.isEmpty()) {
      return figure;
    }
    double more = new Observed(base, now).perSecond() / peer.perSecond();
    return OptionalDouble.of(figure.getAsDouble() * Math.max(1, more));
  }

  private static OptionalDouble figure(Criterion criterion, Observed server) {
    if (criterion == Criterion.HEAP_SHARE) {
      return server.bytes() < FEWEST_BYTES
          ? OptionalDouble.empty()
          : share(server, ServerSample::heapBytes, server.bytes());
    }
    if (server.requests() < FEWEST_REQUESTS) {
      return OptionalDouble.empty();
    }
    if (criterion.isTime() && server.isWarmingUp()) {
      return OptionalDouble.empty();
    }
    return switch (criterion) {
      case GC_SHARE -> share(server, ServerSample::gcMillis, server.millis());
      case LONGEST_PAUSE -> server.now().longestPauseMillis();
      case P99 -> server.now().p99Millis();
      default -> share(server, ServerSample::errors, server.requests());
    };
  }

  private static OptionalDouble share(
      Observed server, Function<ServerSample, Long> sum, long whole) {
    return OptionalDouble.of((double) (sum.apply(server.now()) - sum.apply(server.base())) / whole);
  }
}
