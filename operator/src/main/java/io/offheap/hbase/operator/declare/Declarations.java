package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.MemoryPlanner;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads an {@link HBaseCluster}'s quantities into plain bytes for the {@link MemoryPlanner}. What
 * cannot be read is a problem like any other, so that a resource that never saw an API server gets
 * the same answers.
 */
public final class Declarations {
  private static final String SPEC = "spec.regionServers.";
  private final List<PlanProblem> problems = new ArrayList<>();

  private Declarations() {}

  /** The plan of a resource's region servers, or all reasons why there is none. */
  public static PlanResult plan(HBaseCluster cluster) {
    if (cluster.getSpec() == null || cluster.getSpec().regionServers() == null) {
      return missing("spec.regionServers", "is missing; it declares the memory to plan with");
    }
    var memory = cluster.getSpec().regionServers().memory();
    if (memory == null || memory.heap() == null || memory.offHeap() == null) {
      return missing(
          "spec.regionServers.memory", "must have heap and offHeap, for example 30Gi and 30Gi");
    }
    var reader = new Declarations();
    var declared = reader.read(cluster.getSpec().regionServers());
    return reader.problems.isEmpty()
        ? new MemoryPlanner().plan(declared)
        : new PlanResult.Refused(reader.problems);
  }

  private static PlanResult missing(String field, String message) {
    return new PlanResult.Refused(List.of(new PlanProblem(field, message)));
  }

  private Declared read(RegionServersSpec spec) {
    return new Declared(
        bytes("memory.heap", spec.memory().heap()),
        bytes("memory.offHeap", spec.memory().offHeap()),
        optionalBytes("memory.limit", spec.memory().limit()),
        spec.cores(),
        switch (spec.disk()) {
          case SSD -> Declared.Disk.SSD;
          case HDD -> Declared.Disk.HDD;
          case Offline -> Declared.Disk.OFFLINE;
        },
        switch (spec.load()) {
          case Normal -> Declared.Load.NORMAL;
          case Heavy -> Declared.Load.HEAVY;
        },
        switch (spec.blockCache().mode()) {
          case OffHeap -> Declared.CacheMode.OFF_HEAP;
          case Lru -> Declared.CacheMode.LRU;
          case Disabled -> Declared.CacheMode.DISABLED;
        },
        fraction("blockCache.l1Fraction", spec.blockCache().l1Fraction()),
        optionalBytes("blockCache.bucketCacheSize", spec.blockCache().bucketCacheSize()),
        blocks(spec.hfile()),
        optionalBytes("allocator.poolSize", spec.allocator().poolSize()),
        spec.allocator().minimalAllocateSize() == null
            ? OptionalInt.empty()
            : OptionalInt.of(spec.allocator().minimalAllocateSize()),
        spec.handlers(),
        fraction("memstoreFraction", spec.memstoreFraction()),
        spec.config(),
        spec.jvmOptions());
  }

  private Declared.Blocks blocks(HFileSpec hfile) {
    return new Declared.Blocks(
        bytes("hfile.blockSize", hfile.blockSize()),
        bytes("hfile.indexBlockSize", hfile.indexBlockSize()),
        bytes("hfile.bloomBlockSize", hfile.bloomBlockSize()),
        hfile.cellSize());
  }

  private Optional<BigDecimal> fraction(String field, Double value) {
    if (value != null && !Double.isFinite(value)) {
      problems.add(new PlanProblem(SPEC + field, value + " is no share of the heap; 0.4 would be"));
      return Optional.empty();
    }
    return Optional.ofNullable(value).map(BigDecimal::valueOf);
  }

  private OptionalLong optionalBytes(String field, Quantity quantity) {
    return quantity == null ? OptionalLong.empty() : OptionalLong.of(bytes(field, quantity));
  }

  private long bytes(String field, Quantity quantity) {
    try {
      return Quantity.getAmountInBytes(quantity).longValueExact();
    } catch (ArithmeticException | IllegalArgumentException e) {
      problems.add(
          new PlanProblem(
              SPEC + field,
              "'" + quantity + "' is no whole number of bytes; a quantity such as 30Gi is"));
      return 0;
    }
  }
}
