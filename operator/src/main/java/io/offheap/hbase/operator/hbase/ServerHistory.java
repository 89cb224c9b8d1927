package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The last hour of each region server, for people to look at; nothing is decided by it. It is in
 * memory alone, and begins anew with the process.
 *
 * <p>A server has {@link #SLOTS} slots of {@link #SLOT}, 3.8 KiB in all. Of a cluster at most
 * {@link #MOST_OF_A_CLUSTER} servers are kept and of all clusters together {@link #MOST}: 16 MiB at
 * most. 200 clusters of 3 servers take 2.4 MiB. A server that was silent for an hour is forgotten.
 *
 * <p>Called by the threads that poll and by those of the page; no call waits for more than a copy
 * of one cluster's slots.
 */
public final class ServerHistory {
  /** One point of a line. */
  public static final Duration SLOT = Duration.ofSeconds(30);

  /** An hour. */
  static final int SLOTS = 120;

  static final int MOST_OF_A_CLUSTER = 64;
  static final int MOST = 4096;

  /** What "of late" is. */
  private static final int LATE = 10;

  /** The collections that stop the process. */
  private static final List<Metric> PAUSES =
      List.of(
          Metric.GC_NORMAL_PAUSE_MICROS,
          Metric.GC_CONCURRENT_START_PAUSE_MICROS,
          Metric.GC_PREPARE_MIXED_PAUSE_MICROS,
          Metric.GC_MIXED_PAUSE_MICROS,
          Metric.GC_CONCURRENT_CYCLE_PAUSE_MICROS,
          Metric.GC_FULL_PAUSE_MICROS);

  private final Map<ResourceID, Map<String, Server>> clusters = new HashMap<>();
  private int servers;

  /**
   * Sums of a region server since its process began, and its regions now.
   *
   * @param heapBytes bytes that its allocator took from the heap
   * @param poolBytes bytes that its allocator took from the pool
   * @param hits reads that found their block in a cache
   * @param misses reads that did not
   * @param regions regions that it serves
   */
  public record Counters(long heapBytes, long poolBytes, long hits, long misses, int regions) {}

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

  /** What a slot sums up. */
  private enum Sum {
    HEAP,
    ALLOCATED,
    HITS,
    READS,
    PAUSE_MILLIS,
    OBSERVED_MILLIS,
    POOL,
    REGIONS
  }

  /** Slots of a server, used in turn, and what its sums were when they were read last. */
  private static final class Server {
    private static final int SUMS = Sum.values().length;

    private final float[] slots = new float[SLOTS * SUMS];

    /** Number of the newest slot, counted from 1970. */
    private long newest = Long.MIN_VALUE;

    private String process = "";
    private Counters counters;
    private String observedProcess = "";
    private double pauseMicros;
    private Instant observed;

    Server() {
      Arrays.fill(slots, Float.NaN);
    }

    /** Makes a slot the newest one, unless it is the one before. */
    void moveTo(long slot) {
      // Two threads may write around the end of a slot. Earlier than that, a clock was set back.
      if (newest == Long.MIN_VALUE || slot < newest - 1 || slot - newest >= SLOTS) {
        Arrays.fill(slots, Float.NaN);
        newest = slot;
      }
      for (long next = newest + 1; next <= slot; next++) {
        int from = index(next, Sum.HEAP);
        Arrays.fill(slots, from, from + SUMS, Float.NaN);
        newest = next;
      }
    }

    void add(long slot, Sum sum, double value) {
      int index = index(slot, sum);
      slots[index] = (float) (Float.isNaN(slots[index]) ? value : slots[index] + value);
    }

    void set(long slot, Sum sum, double value) {
      slots[index(slot, sum)] = (float) value;
    }

    float get(long slot, Sum sum) {
      return slot > newest || slot <= newest - SLOTS ? Float.NaN : slots[index(slot, sum)];
    }

    @SuppressWarnings("EnumOrdinal")
    private static int index(long slot, Sum sum) {
      return (int) Math.floorMod(slot, (long) SLOTS) * SUMS + sum.ordinal();
    }

    List<Double> line(long from, Sum part, Sum of, double digits) {
      var line = new ArrayList<Double>(SLOTS);
      for (long slot = from; slot < from + SLOTS; slot++) {
        float whole = of == null ? 1 : get(slot, of);
        float value = get(slot, part) / whole;
        line.add(Float.isFinite(value) ? Math.rint(value * digits) / digits : null);
      }
      return line;
    }
  }

  /**
   * A region server has reported.
   *
   * @param server {@code host,port,startcode}: another one has other sums
   */
  synchronized void reported(
      ResourceID cluster, String pod, String server, Instant at, Counters now) {
    long slot = slot(at);
    var of = server(cluster, pod, slot);
    if (of == null) {
      return;
    }
    of.moveTo(slot);
    of.set(slot, Sum.REGIONS, now.regions());
    var before = of.process.equals(server) ? of.counters : null;
    of.process = server;
    of.counters = now;
    if (before == null) {
      return;
    }
    long heap = now.heapBytes() - before.heapBytes();
    long pool = now.poolBytes() - before.poolBytes();
    if (heap >= 0 && pool >= 0) {
      of.add(slot, Sum.HEAP, (double) heap);
      of.add(slot, Sum.ALLOCATED, (double) heap + pool);
    }
    long hits = now.hits() - before.hits();
    long misses = now.misses() - before.misses();
    if (hits >= 0 && misses >= 0) {
      of.add(slot, Sum.HITS, (double) hits);
      of.add(slot, Sum.READS, (double) hits + misses);
    }
  }

  /** The observer of a region server has responded. */
  synchronized void observed(ResourceID cluster, Reading reading) {
    long slot = slot(reading.at());
    var of = server(cluster, reading.pod(), slot);
    if (of == null) {
      return;
    }
    of.moveTo(slot);
    double buffers = reading.values().getOrDefault(Metric.ALLOCATOR_TOTAL_BUFFERS, 0.0);
    if (buffers > 0) {
      double used = reading.values().getOrDefault(Metric.ALLOCATOR_BUFFERS_IN_USE, 0.0);
      of.set(slot, Sum.POOL, Math.min(1, Math.max(0, used / buffers)));
    }
    double micros = PAUSES.stream().mapToDouble(it -> reading.values().getOrDefault(it, 0.0)).sum();
    if (of.observedProcess.equals(reading.server())) {
      double millis = (micros - of.pauseMicros) / 1000;
      long elapsed = Duration.between(of.observed, reading.at()).toMillis();
      if (millis >= 0 && elapsed > 0) {
        of.add(slot, Sum.PAUSE_MILLIS, millis);
        of.add(slot, Sum.OBSERVED_MILLIS, (double) elapsed);
      }
    }
    of.observedProcess = reading.server();
    of.pauseMicros = micros;
    of.observed = reading.at();
  }

  /** The slots of a server; null where there is no room for it. */
  private Server server(ResourceID cluster, String pod, long slot) {
    var of = clusters.computeIfAbsent(cluster, id -> new TreeMap<>());
    var known = of.get(pod);
    if (known != null) {
      return known;
    }
    dropSilent(of, slot);
    if (of.size() >= MOST_OF_A_CLUSTER || (servers >= MOST && !dropOldest())) {
      return null;
    }
    var added = new Server();
    // Looked up again: the oldest may have been this cluster's only one.
    clusters.computeIfAbsent(cluster, id -> new TreeMap<>()).put(pod, added);
    servers++;
    return added;
  }

  private void dropSilent(Map<String, Server> of, long slot) {
    int before = of.size();
    of.values().removeIf(it -> it.newest <= slot - SLOTS);
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
                        it.getValue().values().stream().mapToLong(of -> of.newest).max().orElse(0)))
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
    long from = slot(now) - SLOTS + 1;
    var lines = new ArrayList<Line>();
    clusters
        .getOrDefault(cluster, Map.of())
        .forEach(
            (pod, of) -> {
              if (of.newest >= from) {
                lines.add(
                    new Line(
                        pod,
                        of.line(from, Sum.HEAP, Sum.ALLOCATED, 1e5),
                        of.line(from, Sum.POOL, null, 1e5),
                        of.line(from, Sum.HITS, Sum.READS, 1e5),
                        of.line(from, Sum.PAUSE_MILLIS, Sum.OBSERVED_MILLIS, 1e5),
                        of.line(from, Sum.REGIONS, null, 1)));
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
        float allocated = of.get(slot, Sum.ALLOCATED);
        if (!Float.isNaN(allocated)) {
          heap += of.get(slot, Sum.HEAP);
          all += allocated;
        }
      }
    }
    return all > 0 ? OptionalDouble.of(Math.rint(heap / all * 1e5) / 1e5) : OptionalDouble.empty();
  }

  private static long slot(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), SLOT.toSeconds());
  }
}
