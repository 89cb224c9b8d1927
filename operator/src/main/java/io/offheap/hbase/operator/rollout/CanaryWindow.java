package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.CanaryComparison.Observed;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The time in which a canary is compared with its peers ({@link CanaryComparison}).
 *
 * <p>The first sample of each server in the window is stored in status, and later samples are
 * compared with it. The first samples have different times: HBase removes its beans for a while
 * after regions were opened or closed. If the operator did not run, or its clock has jumped, the
 * window and the first samples begin anew: a rate over an unknown time is no evidence.
 *
 * <p>The canary is worse at once if its server's process has ended since the comparison began, as
 * its pod reports. This holds where a server without the change has ended too: a change may also
 * make those servers fail that take regions over from the canary. An end in an outage of managed
 * ZooKeeper or HDFS ({@link PodStarts}) is not held against it once, as if it were lost with its
 * node: a server that cannot write its log stops. A second loss of either kind rolls the change
 * back, since the change may cause it. All other criteria are evaluated at the end of the window.
 * If the canary reports no metrics then, the comparison waits for a second window; after that the
 * canary is worse if its peers report metrics, because a server that collects garbage all the time
 * does not respond. If no server reports metrics, there is no verdict, and the rollout waits; as
 * soon as one reports again, the comparison begins anew, since the first one that does is no
 * evidence for or against the others. That happens once: a canary that hangs has its verdict also
 * where its peers report rarely. A canary that HBase does not list as live for two minutes is
 * worse, unless no server without the change is listed either.
 *
 * <p>A node that fails is no evidence against the change. HBase may report its server dead before
 * Kubernetes reports the node silent. While the node is silent, the canary can pass and cannot be
 * worse. It is lost with its node if HBase does not list its server as live meanwhile, or if its
 * process ended with the node. {@link CanaryStep} takes an eviction as such a loss before it reads
 * a verdict.
 */
public final class CanaryWindow {
  /** Kubernetes reports a node that is lost sooner. */
  private static final Duration NODE_REPORTED = Duration.ofMinutes(2);

  /** A server may report no metrics for a moment, after regions were opened or closed. */
  private static final Duration OUTAGE = Duration.ofSeconds(30);

  private final Canary canary;
  private final Instant watchedSince;
  private final Instant begin;
  private final Duration length;
  private final Instant now;

  /**
   * For one reconciliation.
   *
   * @param canary the server that is compared
   * @param length length of the window
   * @param watchedSince since when this process has watched without a break
   * @param now the time
   */
  public CanaryWindow(Canary canary, Duration length, Instant watchedSince, Instant now) {
    this.canary = canary;
    this.watchedSince = watchedSince;
    var since = canary.again().orElse(canary.since());
    this.begin = isForeign(since, watchedSince, now) ? watchedSince : since;
    this.length = length;
    this.now = now;
  }

  /** Before it began to watch, no operator may have run; a later time is of another clock. */
  private static boolean isForeign(Instant time, Instant watchedSince, Instant now) {
    return time.isBefore(watchedSince) || time.isAfter(now);
  }

  /** The first sample of each server in the window, for status. */
  public List<ServerSample> first(List<ServerSample> remembered, List<ServerSample> latest) {
    var kept = remembered.stream().filter(this::isWithin).toList();
    var pods = kept.stream().map(ServerSample::pod).collect(Collectors.toSet());
    return Stream.concat(
            kept.stream(),
            latest.stream().filter(this::isWithin).filter(it -> !pods.contains(it.pod())))
        .toList();
  }

  /** A sample may be read while the reconciliation runs; a later one is of another clock. */
  private boolean isWithin(ServerSample sample) {
    return !sample.at().isBefore(begin) && !sample.at().isAfter(now.plus(Watch.JUMP));
  }

  /**
   * The verdict so far.
   *
   * @param pod the canary's pod
   * @param view HBase's last view
   * @param remembered the first samples, as stored in status
   * @param latest the latest samples
   * @param peers the servers without the change ({@link Canary#peers})
   * @param starts which ends of processes were in an outage
   */
  public CanaryVerdict verdict(
      ServerPod pod,
      Optional<HBaseView> view,
      List<ServerSample> remembered,
      List<ServerSample> latest,
      List<ServerPod> peers,
      PodStarts starts) {
    var alive = view.filter(this::isNow);
    boolean isDead = alive.filter(it -> it.serverOf(pod.name()).isEmpty()).isPresent();
    int more = pod.restarts() - canary.restarts();
    if (pod.isSilent() && isDead) {
      return new CanaryVerdict.NodeLost("its node ceased to report it");
    }
    if (alive.isPresent() && !isDead && canary.unlisted().isPresent()) {
      return new CanaryVerdict.Noted(canary.withUnlisted(Optional.empty()));
    }
    if (pod.isSilent()) {
      return unlessWorse(compared(remembered, latest, peers));
    }
    if (more > 0 && pod.isEndedByNode()) {
      return new CanaryVerdict.NodeLost("its process ended with its node");
    }
    if (more > 0 && starts.hasEndedInOutage(pod)) {
      return new CanaryVerdict.NodeLost("its process ended in an outage of ZooKeeper or HDFS");
    }
    if (more > 0) {
      return new CanaryVerdict.Worse(
          List.of("container of " + canary.pod() + " restarted " + more + " times"));
    }
    return isDead ? dead(alive.get(), peers) : compared(remembered, latest, peers);
  }

  private static CanaryVerdict unlessWorse(CanaryVerdict verdict) {
    return verdict instanceof CanaryVerdict.Worse ? new CanaryVerdict.Open() : verdict;
  }

  private CanaryVerdict dead(HBaseView alive, List<ServerPod> peers) {
    if (canary.unlisted().isEmpty()) {
      return new CanaryVerdict.Noted(canary.withUnlisted(Optional.of(now)));
    }
    var unlisted = canary.unlisted().filter(it -> !it.isBefore(begin) && !it.isAfter(now));
    boolean isNoPeerListed =
        !peers.isEmpty() && peers.stream().allMatch(it -> alive.serverOf(it.name()).isEmpty());
    return now.isBefore(unlisted.orElse(begin).plus(NODE_REPORTED)) || isNoPeerListed
        ? new CanaryVerdict.Open()
        : new CanaryVerdict.Worse(List.of(canary.pod() + " is not alive any more"));
  }

  private CanaryVerdict compared(
      List<ServerSample> remembered, List<ServerSample> latest, List<ServerPod> peers) {
    var first = byPod(remembered.stream().filter(this::isWithin));
    var last = byPod(latest.stream());
    var base = Optional.ofNullable(first.get(canary.pod()));
    var end = base.map(ServerSample::at).orElse(begin).plus(length);
    if (now.isBefore(end)) {
      return new CanaryVerdict.Open();
    }
    var current = Optional.ofNullable(last.get(canary.pod())).filter(it -> !it.at().isBefore(end));
    boolean doPeersReport =
        peers.stream()
            .map(it -> last.get(it.name()))
            .anyMatch(it -> it != null && !it.at().isBefore(end));
    if ((current.isPresent() || doPeersReport) && isAfterOutage(end)) {
      return new CanaryVerdict.Noted(canary.again(now));
    }
    if (base.isEmpty() && current.isPresent()) {
      // It reports again: this is its first sample, which is stored with this reconciliation.
      return new CanaryVerdict.Open();
    }
    if (current.isEmpty()) {
      return withoutMetrics(end, doPeersReport);
    }
    var others =
        peers.stream()
            .map(ServerPod::name)
            .filter(it -> first.containsKey(it) && last.containsKey(it))
            .map(it -> new Observed(first.get(it), last.get(it)))
            .toList();
    return CanaryComparison.compare(new Observed(base.get(), current.get()), others, length, now);
  }

  /** After two windows, a value that the peers reach too is not caused by the change. */
  private CanaryVerdict withoutMetrics(Instant end, boolean doPeersReport) {
    if (doPeersReport) {
      return now.isBefore(end.plus(length))
          ? new CanaryVerdict.Open()
          : new CanaryVerdict.Worse(
              List.of(canary.pod() + " reports no metrics, and its peers report theirs"));
    }
    return now.isBefore(end.plus(outage())) || unreported(end).isPresent()
        ? new CanaryVerdict.Open()
        : new CanaryVerdict.Noted(canary.withUnreported(now));
  }

  private boolean isAfterOutage(Instant end) {
    return canary.again().filter(it -> !isForeign(it, watchedSince, now)).isEmpty()
        && unreported(end).filter(it -> !now.isBefore(it.plus(outage()))).isPresent();
  }

  /** At most half of the second window, so that it is noted and over before that ends. */
  private Duration outage() {
    return OUTAGE.compareTo(length.dividedBy(2)) < 0 ? OUTAGE : length.dividedBy(2);
  }

  /** A time before the end of the window is of a window that was broken off. */
  private Optional<Instant> unreported(Instant end) {
    return canary.unreported().filter(it -> !it.isBefore(end) && !it.isAfter(now));
  }

  private boolean isNow(HBaseView view) {
    return view.requestedAt().isAfter(begin)
        && view.requestedAt().isAfter(now.minus(RolloutSnapshot.OLDEST_VIEW))
        && !view.requestedAt().isAfter(now);
  }

  private static Map<String, ServerSample> byPod(Stream<ServerSample> samples) {
    return samples.collect(
        Collectors.toMap(ServerSample::pod, Function.identity(), (one, other) -> one));
  }
}
