package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The last hour of each region server, for people to look at, and the hit ratio of its data blocks,
 * by which a mode of the block cache is advised; nothing is done by it. It is in memory alone, and
 * begins anew with the process.
 *
 * <p>A server has {@link ServerSlots#SLOTS} slots of {@link #SLOT}, 3.8 KiB in all. Of a cluster at
 * most {@link #MOST_OF_A_CLUSTER} servers are kept and of all clusters together {@link #MOST}: 16
 * MiB at most. 200 clusters of 3 servers take 2.4 MiB. A server that was silent for an hour is
 * forgotten.
 *
 * <p>Called by the threads that poll and by those of the page; no call waits for more than a copy
 * of one cluster's slots.
 */
public final class ServerHistory {
  /** One point of a line. */
  public static final Duration SLOT = Duration.ofSeconds(30);

  static final int MOST_OF_A_CLUSTER = 64;
  static final int MOST = 4096;

  /** What "of late" is. */
  private static final int LATE = 10;

  private final Map<ResourceID, Map<String, ServerSlots>> clusters = new HashMap<>();
  private int servers;

  /**
   * The last hour of a server; a null is a slot of which nothing is known, or in which there was
   * nothing to divide by. Oldest first.
   *
   * @param pod its pod
   * @param heapShare share of bytes that its allocator took from the heap, 0 to 1
   * @param pool share of the pool's buffers that are in use, 0 to 1; read only while tuning is not
   *     disabled
   * @param hitRatio share of reads that found their block in a cache, 0 to 1
   * @param pauseShare share of the time in which collections stopped it, 0 to 1; read only while
   *     tuning is not disabled
   * @param regions regions that it serves
   */
  public record Line(
      String pod,
      List<Double> heapShare,
      List<Double> pool,
      List<Double> hitRatio,
      List<Double> pauseShare,
      List<Double> regions) {}

  /**
   * All servers of a cluster.
   *
   * @param from begin of the first slot, seconds since 1970
   * @param slotSeconds length of a slot
   * @param servers in the order of their pods
   */
  public record Hour(long from, long slotSeconds, List<Line> servers) {
    public Hour {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A region server has reported.
   *
   * @param server {@code host,port,startcode}: another one has other sums
   */
  synchronized void reported(
      ResourceID cluster, String pod, String server, Instant at, ServerCounters now) {
    long slot = slot(at);
    server(cluster, pod, slot).ifPresent(it -> it.reported(slot, server, now));
  }

  /** The observer of a region server has responded. */
  synchronized void observed(ResourceID cluster, Reading reading) {
    long slot = slot(reading.at());
    server(cluster, reading.pod(), slot).ifPresent(it -> it.observed(slot, reading));
  }

  /** The slots of a server; empty where there is no room for it. */
  private Optional<ServerSlots> server(ResourceID cluster, String pod, long slot) {
    var of = clusters.computeIfAbsent(cluster, id -> new TreeMap<>());
    var known = of.get(pod);
    if (known != null) {
      return Optional.of(known);
    }
    dropSilent(of, slot);
    if (of.size() >= MOST_OF_A_CLUSTER || (servers >= MOST && !dropOldest())) {
      return Optional.empty();
    }
    var added = new ServerSlots();
    // Looked up again: the oldest may have been this cluster's only one.
    clusters.computeIfAbsent(cluster, id -> new TreeMap<>()).put(pod, added);
    servers++;
    return Optional.of(added);
  }

  private void dropSilent(Map<String, ServerSlots> of, long slot) {
    int before = of.size();
    of.values().removeIf(it -> it.newest() <= slot - ServerSlots.SLOTS);
    servers -= before - of.size();
  }

  /** Makes room by the cluster that was silent for longest. */
  private boolean dropOldest() {
    var oldest =
        clusters.entrySet().stream()
            .filter(it -> !it.getValue().isEmpty())
            .min(
                Comparator.comparing(
                    it ->
                        it.getValue().values().stream()
                            .mapToLong(of -> of.newest())
                            .max()
                            .orElse(0)))
            .map(Map.Entry::getKey);
    oldest.ifPresent(this::forget);
    return oldest.isPresent();
  }

  /** A cluster was deleted. */
  synchronized void forget(ResourceID cluster) {
    var of = clusters.remove(cluster);
    servers -= of == null ? 0 : of.size();
  }

  /** The hour before a time. */
  public synchronized Hour hour(ResourceID cluster, Instant now) {
    long from = slot(now) - ServerSlots.SLOTS + 1;
    var lines = new ArrayList<Line>();
    clusters
        .getOrDefault(cluster, Map.of())
        .forEach(
            (pod, of) -> {
              if (of.newest() >= from) {
                lines.add(
                    new Line(
                        pod,
                        of.line(from, ServerSlots.Sum.HEAP, ServerSlots.Sum.ALLOCATED, 1e5),
                        of.line(from, ServerSlots.Sum.POOL, null, 1e5),
                        of.line(from, ServerSlots.Sum.HITS, ServerSlots.Sum.READS, 1e5),
                        of.line(
                            from,
                            ServerSlots.Sum.PAUSE_MILLIS,
                            ServerSlots.Sum.OBSERVED_MILLIS,
                            1e5),
                        of.line(from, ServerSlots.Sum.REGIONS, null, 1)));
              }
            });
    return new Hour(from * SLOT.toSeconds(), SLOT.toSeconds(), lines);
  }

  /**
   * Share of bytes that the allocators of a cluster's servers took from the heap in the last five
   * minutes, 0 to 1; empty where they gave out none.
   */
  public synchronized OptionalDouble heapShare(ResourceID cluster, Instant now) {
    long to = slot(now);
    double heap = 0;
    double all = 0;
    for (var of : clusters.getOrDefault(cluster, Map.of()).values()) {
      for (long slot = to - LATE + 1; slot <= to; slot++) {
        float allocated = of.get(slot, ServerSlots.Sum.ALLOCATED);
        if (!Float.isNaN(allocated)) {
          heap += of.get(slot, ServerSlots.Sum.HEAP);
          all += allocated;
        }
      }
    }
    return all > 0 ? OptionalDouble.of(Math.rint(heap / all * 1e5) / 1e5) : OptionalDouble.empty();
  }

  /**
   * The hit ratio of a server's data blocks, as HBase counts; empty where it is not known.
   *
   * @param server {@code host,port,startcode}
   */
  synchronized OptionalDouble hitRatio(ResourceID cluster, String pod, String server) {
    var of = clusters.getOrDefault(cluster, Map.of()).get(pod);
    return of == null ? OptionalDouble.empty() : of.hitRatio(server);
  }

  private static long slot(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), SLOT.toSeconds());
  }
}
