package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.CacheModeFits;

import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.observe.GroupReads;
import io.offheap.hbase.operator.plan.CacheModeRule.Advice;
import io.offheap.hbase.operator.plan.CacheModeRule.Load;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The condition that says whether the mode of the block cache suits what is read. It is advice:
 * nothing follows from it, since another mode means another plan and restarts.
 *
 * <p>The load of a group is its declared working set, with the hit ratio of its servers where that
 * is known; without a declared one it is the hit ratio with the store files of the server that has
 * most.
 *
 * <p>While servers run another plan than the applied one, what they report is of that, and there is
 * no condition. No hit ratio is known for an hour after a restart of the operator: until then a
 * condition of the same spec is kept.
 */
public final class CacheModeConditions {
  private CacheModeConditions() {}

  /**
   * Adds or keeps the condition.
   *
   * @param plans the plans of this pass
   * @param applied the applied plans
   * @param reads what the servers of a group report, by its name
   */
  public static void add(
      Plans plans,
      AppliedState applied,
      Function<String, GroupReads> reads,
      Conditions conditions) {
    var byGroup = new LinkedHashMap<GroupPlan, GroupReads>();
    applied.plans().forEach(it -> byGroup.put(it, reads.apply(it.group().name())));
    if (!byGroup.values().stream().allMatch(GroupReads::isSettled)) {
      return;
    }
    boolean isRatioToCome = byGroup.values().stream().allMatch(it -> it.hitRatio().isEmpty());
    if (isRatioToCome && conditions.hadOfGeneration(CacheModeFits)) {
      conditions.keep(CacheModeFits);
      return;
    }
    var advices = new LinkedHashMap<String, Advice>();
    byGroup.forEach(
        (group, read) ->
            plans
                .advice(group, load(group, read))
                .ifPresent(it -> advices.put(group.group().name(), it)));
    if (!advices.isEmpty()) {
      boolean fits = advices.values().stream().allMatch(Advice::isAsDeclared);
      conditions.add(
          CacheModeFits, fits, fits ? Reason.ModeFits : Reason.OtherModeAdvised, text(advices));
    }
  }

  private static String text(Map<String, Advice> advices) {
    return advices.entrySet().stream()
        .map(
            it ->
                (it.getKey().isEmpty() ? "" : "group " + it.getKey() + ": ") + it.getValue().text())
        .collect(Collectors.joining("\n"));
  }

  private static Load load(GroupPlan group, GroupReads reads) {
    var memory = group.group().spec().memory();
    var declared =
        memory == null || memory.workingSet() == null
            ? OptionalLong.empty()
            : Quantities.bytes(memory.workingSet());
    if (reads.hitRatio().isEmpty()) {
      return new Load(declared, OptionalDouble.empty());
    }
    return new Load(
        declared.isPresent() ? declared : reads.storeFileBytes(),
        OptionalDouble.of(found(group.plan(), reads.hitRatio().getAsDouble())));
  }

  /**
   * With a bucket cache, HBase counts a miss of a data block that is to be cached twice: it looks
   * for the block again when it has its lock. Reads that cache nothing, such as compactions, are
   * among the misses, each once: where there are many of them, the share is lower than that of
   * Gets.
   */
  private static double found(MemoryPlan plan, double counted) {
    return plan.bucketCache().isPresent() ? 2 * counted / (1 + counted) : counted;
  }
}
