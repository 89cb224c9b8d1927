package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.Blocks;
import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Disk;
import io.offheap.hbase.operator.plan.Declared.Load;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A region server with heap and off-heap memory, and HBase's defaults for all else. */
final class DeclaredBuilder {
  private long heap = 30 * GIB;
  private long offHeap = 30 * GIB;
  private OptionalLong limit = OptionalLong.empty();
  private int cores = 24;
  private Load load = Load.NORMAL;
  private CacheMode mode = CacheMode.OFF_HEAP;
  private Optional<BigDecimal> l1 = Optional.empty();
  private OptionalLong bucketCache = OptionalLong.empty();
  private Blocks blocks = Blocks.HBASE_DEFAULT;
  private OptionalLong pool = OptionalLong.empty();
  private OptionalInt minimalAllocateSize = OptionalInt.empty();
  private int handlers = 30;
  private Optional<BigDecimal> memstore = Optional.empty();
  private final Map<String, String> config = new LinkedHashMap<>();
  private final List<String> jvmOptions = new ArrayList<>();

  static DeclaredBuilder regionServer() {
    return new DeclaredBuilder();
  }

  DeclaredBuilder heap(long bytes) {
    heap = bytes;
    return this;
  }

  DeclaredBuilder offHeap(long bytes) {
    offHeap = bytes;
    return this;
  }

  DeclaredBuilder limit(long bytes) {
    limit = OptionalLong.of(bytes);
    return this;
  }

  DeclaredBuilder cores(int value) {
    cores = value;
    return this;
  }

  DeclaredBuilder load(Load value) {
    load = value;
    return this;
  }

  DeclaredBuilder mode(CacheMode value) {
    mode = value;
    return this;
  }

  DeclaredBuilder l1(String fraction) {
    l1 = Optional.of(new BigDecimal(fraction));
    return this;
  }

  DeclaredBuilder bucketCache(long bytes) {
    bucketCache = OptionalLong.of(bytes);
    return this;
  }

  DeclaredBuilder cell(long bytes) {
    return blocks(65536, 131072, 131072, bytes);
  }

  DeclaredBuilder blocks(long data, long index, long bloom, long cell) {
    blocks = new Blocks(data, index, bloom, cell);
    return this;
  }

  DeclaredBuilder pool(long bytes) {
    pool = OptionalLong.of(bytes);
    return this;
  }

  DeclaredBuilder minimalAllocateSize(int bytes) {
    minimalAllocateSize = OptionalInt.of(bytes);
    return this;
  }

  DeclaredBuilder handlers(int value) {
    handlers = value;
    return this;
  }

  DeclaredBuilder memstore(String fraction) {
    memstore = Optional.of(new BigDecimal(fraction));
    return this;
  }

  DeclaredBuilder config(String key, String value) {
    config.put(key, value);
    return this;
  }

  DeclaredBuilder jvmOption(String option) {
    jvmOptions.add(option);
    return this;
  }

  Declared build() {
    return new Declared(
        heap,
        offHeap,
        limit,
        cores,
        Disk.SSD,
        load,
        mode,
        l1,
        bucketCache,
        blocks,
        pool,
        minimalAllocateSize,
        handlers,
        memstore,
        config,
        jvmOptions);
  }

  PlanResult result() {
    return new MemoryPlanner().plan(build());
  }

  /** The plan; an error where there is none. */
  MemoryPlan plan() {
    if (result() instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new AssertionError(result());
  }

  /** Why there is no plan; empty where there is one. */
  List<PlanProblem> problems() {
    return result() instanceof PlanResult.Refused refused ? refused.problems() : List.of();
  }

  /** Every problem names the field, and the first says so. */
  void assertRefused(String why, String field, String message) {
    assertThat(problems())
        .as(why)
        .isNotEmpty()
        .allMatch(problem -> problem.field().equals("spec.regionServers." + field));
    assertThat(problems().get(0).message()).startsWith(message);
  }

  String site(String key) {
    return plan().hbaseSite().get(key);
  }

  long budget(String item) {
    return plan().budget().stream()
        .filter(part -> part.item().equals(item))
        .mapToLong(BudgetItem::bytes)
        .sum();
  }
}
