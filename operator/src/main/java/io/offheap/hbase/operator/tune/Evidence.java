package io.offheap.hbase.operator.tune;

import static java.util.stream.Collectors.joining;

import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.TunedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * The input of the rules: plan and metrics of a region server group.
 *
 * @param plan the plan that the servers run with, tuned values included
 * @param tuned the tuned values
 * @param declared keys of settings that the resource or its profile declares; tuning never changes
 *     these
 * @param servers metrics of the group's servers
 * @param peers metrics of the servers of other groups, which run without the change on trial
 * @param tables column families of the running cluster, as far as the operator has read them
 * @param mayShrinkCache whether the resource lets tuning take from the bucket cache or its RAM
 *     buffer
 * @param replan gives the plan with other tuned values in place of the present ones
 */
public record Evidence(
    MemoryPlan plan,
    Map<TunedKey, Long> tuned,
    Set<String> declared,
    List<ServerWindow> servers,
    List<ServerWindow> peers,
    List<TableBlocks> tables,
    boolean mayShrinkCache,
    Function<Map<TunedKey, Long>, PlanResult> replan) {
  public Evidence {
    tuned = Map.copyOf(tuned);
    declared = Set.copyOf(declared);
    servers = List.copyOf(servers);
    peers = List.copyOf(peers);
    tables = List.copyOf(tables);
  }

  /**
   * The plan after a change.
   *
   * @param refusal why the plan would be refused; empty where it would not
   * @param cacheBytes as {@link Evidence#cacheBytes()}
   */
  record Effect(Optional<String> refusal, long cacheBytes) {
    boolean isPlan() {
      return refusal.isEmpty();
    }
  }

  /** The plan with these changes in addition to the tuned values. */
  Effect effect(Map<TunedKey, Long> changes) {
    var all = new EnumMap<TunedKey, Long>(TunedKey.class);
    all.putAll(tuned);
    all.putAll(changes);
    return effectOfAll(all);
  }

  /** The plan as declared. */
  Effect untuned() {
    return effectOfAll(Map.of());
  }

  private Effect effectOfAll(Map<TunedKey, Long> values) {
    var result = replan.apply(values);
    if (result instanceof PlanResult.Planned planned) {
      return new Effect(Optional.empty(), cacheBytes(planned.plan()));
    }
    var problems = ((PlanResult.Refused) result).problems();
    var why = problems.stream().map(PlanProblem::toString).collect(joining("; "));
    return new Effect(Optional.of(why), 0);
  }

  /** A value of the plan as declared; 0 where there is none. */
  long derived(TunedKey key) {
    return plannedWith(key, Map.of());
  }

  /** A value of the plan with other tuned values; 0 where there is none. */
  long plannedWith(TunedKey key, Map<TunedKey, Long> others) {
    return replan.apply(others) instanceof PlanResult.Planned planned
        ? planned.plan().required(key.key())
        : 0;
  }

  /**
   * Direct memory of the bucket cache, or of the RAM buffer before one in a file, in bytes; 0 where
   * there is neither.
   */
  long cacheBytes() {
    return cacheBytes(plan);
  }

  private static long cacheBytes(MemoryPlan plan) {
    return plan.bucketCache().map(MemoryPlan.BucketCache::directBytes).orElse(0L)
        + plan.ramBufferBytes();
  }

  /** What has {@link #cacheBytes()}. */
  String cacheName() {
    return plan.ramBufferBytes() > 0 ? "RAM buffer" : "bucket cache";
  }

  boolean isDeclared(TunedKey key) {
    return declared.contains(key.keyName());
  }

  long planned(TunedKey key) {
    return plan.required(key.key());
  }

  /** {@code G1ReservePercent} of the servers, in percent of the heap. */
  long reservePercent() {
    return plan.effective(JvmKeys.RESERVE_PERCENT);
  }

  /** {@code hbase.hstore.bytes.per.checksum} of the servers. */
  long bytesPerChecksum() {
    return plan.effective(HBaseKeys.BYTES_PER_CHECKSUM);
  }

  /** The heap, in bytes. */
  long heapBytes() {
    return plan.g1().heapBytes();
  }

  /** Size of a G1 region, in bytes. */
  long regionBytes() {
    return plan.g1().regionBytes();
  }

  /** Number of G1 regions. */
  long regions() {
    return plan.g1().regions();
  }

  /** A metric of the server with the highest; empty where no server reports it. */
  OptionalDouble worst(Function<ServerWindow, OptionalDouble> metric) {
    return servers.stream().flatMapToDouble(it -> metric.apply(it).stream()).max();
  }

  /** The server with the highest value of a metric; empty where no server reports it. */
  Optional<ServerWindow> worstServer(Function<ServerWindow, OptionalDouble> metric) {
    return servers.stream()
        .filter(it -> metric.apply(it).isPresent())
        .max(Comparator.comparingDouble(it -> metric.apply(it).getAsDouble()));
  }

  /** The same evidence with the peers in place of the servers. */
  Evidence ofPeers() {
    return withServers(peers, List.of());
  }

  /** The readings of that time and later. */
  Evidence since(Instant time) {
    return withServers(since(servers, time), since(peers, time));
  }

  private static List<ServerWindow> since(List<ServerWindow> windows, Instant time) {
    return windows.stream().flatMap(it -> it.since(time).stream()).toList();
  }

  /**
   * Without windows that are shorter than {@code least} or have a gap longer than {@code apart}.
   */
  Evidence lasting(Duration least, Duration apart) {
    return withServers(lasting(servers, least, apart), lasting(peers, least, apart));
  }

  private static List<ServerWindow> lasting(
      List<ServerWindow> windows, Duration least, Duration apart) {
    return windows.stream()
        .filter(it -> it.length().compareTo(least) >= 0)
        .filter(it -> it.longestGap().compareTo(apart) <= 0)
        .toList();
  }

  private Evidence withServers(List<ServerWindow> itsServers, List<ServerWindow> itsPeers) {
    return new Evidence(
        plan, tuned, declared, itsServers, itsPeers, tables, mayShrinkCache, replan);
  }
}
