package io.offheap.hbase.operator.observe;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.rollout.PodStarts;
import io.offheap.hbase.operator.rollout.RolePods;
import io.offheap.hbase.operator.rollout.SeenPods;
import io.offheap.hbase.operator.rollout.ServerPod;
import io.offheap.hbase.operator.rollout.Watch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Since when this process has observed each cluster, and its pods as they are. It is not stored:
 * another process' observation does not count.
 *
 * <p>A reconciliation may end after its cluster was deleted. Nothing is kept of such a cluster: it
 * would never be removed.
 */
public final class ObservationTimes {
  /** A region server that has not reported to this process by then does not respond. */
  public static final Duration FIRST_REPORTS = Duration.ofSeconds(60);

  /** At rest there is a reconciliation at least each 150 s while tuning is on. */
  private static final Duration TUNING_BREAK = Duration.ofMinutes(6);

  private final Clock clock;
  private final LongSupplier nanos;
  private final Predicate<ResourceID> isThere;
  private final Map<ResourceID, Watch> watches = new ConcurrentHashMap<>();
  private final Map<ResourceID, Watch> tuning = new ConcurrentHashMap<>();
  private final Map<ResourceID, Watch> restorations = new ConcurrentHashMap<>();
  private final Map<ResourceID, First> firsts = new ConcurrentHashMap<>();
  private final Map<ResourceID, SeenPods> pods = new ConcurrentHashMap<>();
  private final Map<ResourceID, PodStarts> starts = new ConcurrentHashMap<>();

  /**
   * Without any observation.
   *
   * @param clock the time
   * @param nanos the monotonic clock, in nanoseconds
   * @param isThere whether a cluster exists, by the informer; must be false for a deleted cluster
   *     before {@link #forget} is called for it
   */
  public ObservationTimes(Clock clock, LongSupplier nanos, Predicate<ResourceID> isThere) {
    this.clock = clock;
    this.nanos = nanos;
    this.isThere = isThere;
  }

  /** When a cluster was first observed, and the tuning in its status then. */
  public First first(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    var first =
        firsts.computeIfAbsent(
            id, it -> new First(clock.instant(), nanos.getAsLong(), First.tuningOf(cluster)));
    dropIfDeleted(id);
    return first;
  }

  /**
   * Whether its servers may not have reported to this process yet, whatever the clock is set to.
   */
  public boolean isNew(HBaseCluster cluster) {
    long first = first(cluster).nanos();
    return nanos.getAsLong() - first < FIRST_REPORTS.toNanos();
  }

  /**
   * Records a reconciliation of a rollout, and returns since when there was no break between them.
   */
  public Instant watched(ResourceID id, Instant now) {
    return next(watches, id, now, Watch::next);
  }

  /** The same of tuning, which reconciles a cluster at rest less often. */
  public Instant watchedByTuning(ResourceID id, Instant now) {
    return next(tuning, id, now, (it, at, time) -> it.next(at, time, TUNING_BREAK));
  }

  /**
   * The same of a restoration, in passes that continue no rollout: their time counts for none of
   * its deadlines.
   */
  public Instant watchedByRestoration(ResourceID id, Instant now) {
    return next(restorations, id, now, Watch::next);
  }

  private interface Next {
    Watch of(Watch watch, Instant now, long nanos);
  }

  private Instant next(Map<ResourceID, Watch> all, ResourceID id, Instant now, Next next) {
    long time = nanos.getAsLong();
    var watch =
        all.compute(id, (made, it) -> it == null ? Watch.begin(now, time) : next.of(it, now, time));
    dropIfDeleted(id);
    return watch.since();
  }

  /** The pods of ZooKeeper and HDFS with how long each was seen in its state. */
  public List<RolePods> seen(ResourceID id, List<RolePods> roles) {
    long time = nanos.getAsLong();
    var now = pods.compute(id, (made, it) -> (it == null ? SeenPods.NONE : it).next(roles, time));
    dropIfDeleted(id);
    return now.timed(roles, time);
  }

  /**
   * For how long the pods of the declared region servers had the chance to start.
   *
   * @param mayStart whether ZooKeeper and HDFS serve, without which no region server can start
   */
  public PodStarts starts(
      ResourceID id, List<ServerPod> servers, Set<String> declared, boolean mayStart) {
    long time = nanos.getAsLong();
    var next =
        starts.compute(
            id,
            (made, it) ->
                (it == null ? PodStarts.NONE : it).next(servers, declared, mayStart, time));
    dropIfDeleted(id);
    return next;
  }

  /** Removes a deleted cluster. */
  public void forget(ResourceID id) {
    watches.remove(id);
    tuning.remove(id);
    restorations.remove(id);
    firsts.remove(id);
    pods.remove(id);
    starts.remove(id);
  }

  /** Checked after it was kept: whatever the order, either this or {@link #forget} comes last. */
  private void dropIfDeleted(ResourceID id) {
    if (!isThere.test(id)) {
      forget(id);
    }
  }

  /** The number of kept clusters. */
  int size() {
    return Stream.of(pods, starts, watches, tuning, restorations, firsts)
        .mapToInt(Map::size)
        .max()
        .orElseThrow();
  }

  /**
   * The first observation of a cluster.
   *
   * @param at when it was
   * @param nanos the same by the monotonic clock
   * @param tuning the tuning in status; null for none
   */
  public record First(Instant at, long nanos, TuningStatus tuning) {
    public boolean isTuningUnchanged(HBaseCluster cluster) {
      return Objects.equals(tuning, tuningOf(cluster));
    }

    private static TuningStatus tuningOf(HBaseCluster cluster) {
      return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::tuning).orElse(null);
    }
  }
}
