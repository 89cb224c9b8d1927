package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.api.MemorySpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.DeclaredBuilder;
import io.offheap.hbase.operator.plan.FieldNames;
import io.offheap.hbase.operator.plan.FieldPath;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads a {@link ServerGroup}'s quantities into plain bytes, the planner's input. A text that
 * cannot be parsed and a value out of its {@link FieldRange} are problems like any other, so that a
 * resource that no API server has checked gets the same messages.
 */
final class Declarations {
  /** Of whole CPUs; the declaration of a quantity of CPUs is that of requests too, and has none. */
  private static final FieldRange CORES = new FieldRange(FieldRange.Form.COUNT, 1, 1024);

  private final List<PlanProblem> problems = new ArrayList<>();
  private final FieldNames names;

  Declarations(FieldNames names) {
    this.names = names;
  }

  /** What could not be parsed or is out of range so far. */
  List<PlanProblem> problems() {
    return List.copyOf(problems);
  }

  /** The planner's input for a group. */
  Declared read(ServerGroup group, ObservedInputs observed) {
    RegionServersSpec spec = group.spec();
    return DeclaredBuilder.builder()
        .memory(memory(spec.memory(), observed))
        .cores(cores(spec.resources().limits().cpu()))
        .disk(
            switch (spec.disk()) {
              case SSD -> Declared.Disk.SSD;
              case HDD -> Declared.Disk.HDD;
              case Offline -> Declared.Disk.OFFLINE;
            })
        .load(
            switch (spec.load()) {
              case Normal -> Declared.Load.NORMAL;
              case Heavy -> Declared.Load.HEAVY;
            })
        .cache(cache(spec.blockCache()))
        .blocks(blocks(spec.hfile()))
        .tables(observed.tables())
        .tuned(observed.tuned().getOrDefault(group.name(), List.of()))
        .poolBytes(optionalBytes("allocator.poolSize", spec.allocator().poolSize()))
        .minimalAllocateSize(optional(spec.allocator().minimalAllocateSize()))
        .handlers(inRange("handlers", spec.handlers()))
        .memstoreFraction(fraction("memstoreFraction", spec.memstoreFraction()))
        .survivorBytes(
            optionalBytes("g1.survivorSize", spec.g1() == null ? null : spec.g1().survivorSize()))
        .config(spec.config())
        .jvmOptions(spec.jvmOptions())
        .imageJava(group.imageJava())
        .names(names)
        .build();
  }

  private Declared.Memory memory(MemorySpec memory, ObservedInputs observed) {
    if (memory == null) {
      var none = OptionalLong.empty();
      return new Declared.Memory(none, none, none, Optional.empty(), 0);
    }
    var declared = optionalBytes("memory.workingSet", memory.workingSet());
    Optional<Declared.WorkingSet> workingSet =
        declared.isPresent()
            ? Optional.of(new Declared.WorkingSet(declared.getAsLong(), false))
            : measured(observed);
    return new Declared.Memory(
        optionalBytes("memory.heap", memory.heap()),
        optionalBytes("memory.offHeap", memory.offHeap()),
        optionalBytes("memory.limit", memory.limit()),
        workingSet,
        optionalBytes("memory.offHeapMemstore", memory.offHeapMemstore()).orElse(0));
  }

  private Optional<Declared.WorkingSet> measured(ObservedInputs observed) {
    return observed.workingSetBytes().stream()
        .mapToObj(it -> new Declared.WorkingSet(inRange("memory.workingSet", it), true))
        .findFirst();
  }

  private Declared.Cache cache(BlockCacheSpec cache) {
    return new Declared.Cache(
        switch (cache.mode()) {
          case OffHeap -> Declared.CacheMode.OFF_HEAP;
          case File -> Declared.CacheMode.FILE;
          case Lru -> Declared.CacheMode.LRU;
          case MetaOnly -> Declared.CacheMode.META_ONLY;
          case Disabled -> Declared.CacheMode.DISABLED;
        },
        fraction("blockCache.l1Fraction", cache.l1Fraction()),
        optionalBytes("blockCache.bucketCacheSize", cache.bucketCacheSize()),
        file(Optional.ofNullable(cache.file())));
  }

  private Declared.CacheFile file(Optional<BlockCacheSpec.FileSpec> file) {
    var volume = file.map(BlockCacheSpec.FileSpec::storage);
    return new Declared.CacheFile(
        file.map(BlockCacheSpec.FileSpec::path).orElse(Declared.CacheFile.DEFAULT_FOLDER),
        file.map(BlockCacheSpec.FileSpec::persistent).orElse(volume.isPresent()),
        volume
            .map(it -> OptionalLong.of(bytes("blockCache.file.storage.size", it.size())))
            .orElse(OptionalLong.empty()));
  }

  private Declared.Blocks blocks(HFileSpec hfile) {
    return new Declared.Blocks(
        optionalBytes("hfile.blockSize", hfile.blockSize()),
        optionalBytes("hfile.indexBlockSize", hfile.indexBlockSize()),
        optionalBytes("hfile.bloomBlockSize", hfile.bloomBlockSize()),
        number("hfile.cellSize", hfile.cellSize()).stream().asLongStream().findFirst(),
        number("hfile.openFiles", hfile.openFiles()));
  }

  private OptionalInt number(String field, Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(inRange(field, number));
  }

  /** A number whose range the planner has. */
  private static OptionalInt optional(Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private int inRange(String field, int value) {
    return (int) inRange(field, (long) value);
  }

  private long inRange(String field, long value) {
    GroupField.rangeOf(field).problem(value).ifPresent(it -> problem(field, it));
    return value;
  }

  private int cores(Quantity cpus) {
    var cores = Quantities.cores(cpus);
    var wrong =
        cores.isEmpty()
            ? Optional.of("'" + cpus + "' must be a number of CPUs over 0, for example 4")
            : CORES.problem(cores.getAsInt());
    wrong.ifPresent(it -> problem("resources.limits.cpu", it));
    return cores.orElse(1);
  }

  private Optional<BigDecimal> fraction(String field, Quantity value) {
    if (value == null) {
      return Optional.empty();
    }
    var share = Quantities.amount(value);
    if (share.isEmpty()) {
      problem(field, "'" + value + "' must be a share of the heap, for example 0.4");
    }
    return share.map(BigDecimal::stripTrailingZeros);
  }

  private OptionalLong optionalBytes(String field, Quantity quantity) {
    return quantity == null ? OptionalLong.empty() : OptionalLong.of(bytes(field, quantity));
  }

  private long bytes(String field, Quantity quantity) {
    var bytes = Quantities.bytes(quantity);
    if (bytes.isEmpty()) {
      problem(field, "'" + quantity + "' must be a whole number of bytes, for example 30Gi");
      return 0;
    }
    return inRange(field, bytes.getAsLong());
  }

  private void problem(String field, String message) {
    problems.add(new PlanProblem(FieldPath.of(field), names, message));
  }
}
