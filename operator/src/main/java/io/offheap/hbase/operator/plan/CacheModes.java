package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.WorkingSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * How much data the container of a region server caches in each mode. Another mode is planned for
 * the same memory, without the properties, options and shares that were declared for this one.
 */
final class CacheModes {
  /** A file needs a disk, whose size only the one who declares it knows. */
  private static final List<CacheMode> IN_MEMORY = List.of(CacheMode.OFF_HEAP, CacheMode.LRU);

  private static final Set<String> SHORT_CIRCUIT =
      Set.of(HBaseKeys.SHORT_CIRCUIT.name(), HBaseKeys.SHORT_CIRCUIT_BUFFER.name());

  private CacheModes() {}

  /**
   * Data blocks by mode: the declared one, and each that is in memory and has a plan for this
   * container.
   *
   * @param plan of what is declared
   * @param workingSet by which the memory is divided, in bytes
   */
  static Map<CacheMode, CachedData> cached(
      Declared declared, MemoryPlan plan, long workingSet, Function<Declared, PlanResult> planner) {
    var cached = new EnumMap<CacheMode, CachedData>(CacheMode.class);
    cached.put(CacheMode.META_ONLY, CachedData.NONE);
    cached.put(declared.cacheMode(), CachedData.of(declared, plan));
    for (var mode : IN_MEMORY) {
      var other = in(mode, declared, plan, workingSet);
      if (!cached.containsKey(mode) && planner.apply(other) instanceof PlanResult.Planned planned) {
        cached.put(mode, CachedData.of(other, planned.plan()));
      }
    }
    return cached;
  }

  private static Declared in(CacheMode mode, Declared declared, MemoryPlan plan, long workingSet) {
    var memory =
        new Declared.Memory(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.of(plan.containerMemoryBytes()),
            Optional.of(new WorkingSet(workingSet, false)),
            declared.memory().offHeapMemstoreBytes());
    return DeclaredBuilder.builder(declared)
        .memory(memory)
        .cache(
            new Declared.Cache(
                mode, Optional.empty(), OptionalLong.empty(), declared.cache().file()))
        .memstoreFraction(Optional.empty())
        .tuned(List.of())
        .config(shortCircuit(declared))
        .jvmOptions(List.of())
        .build();
  }

  /** Short-circuit reads take direct memory in each mode. */
  private static Map<String, String> shortCircuit(Declared declared) {
    var config = new HashMap<>(declared.config());
    config.keySet().retainAll(SHORT_CIRCUIT);
    return config;
  }
}
