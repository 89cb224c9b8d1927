package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.Blocks;
import io.offheap.hbase.operator.plan.Declared.Cache;
import io.offheap.hbase.operator.plan.Declared.CacheFile;
import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Disk;
import io.offheap.hbase.operator.plan.Declared.Load;
import io.offheap.hbase.operator.plan.Declared.Memory;
import io.offheap.hbase.operator.plan.Declared.WorkingSet;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A region server with heap and off-heap memory, and HBase's defaults for all else. */
final class DeclaredExample {
  private OptionalLong heap = OptionalLong.of(30 * GIB);
  private OptionalLong offHeap = OptionalLong.of(30 * GIB);
  private OptionalLong limit = OptionalLong.empty();
  private int cores = 24;
  private Load load = Load.NORMAL;
  private CacheMode mode = CacheMode.OFF_HEAP;
  private Optional<BigDecimal> l1 = Optional.empty();
  private OptionalLong bucketCache = OptionalLong.empty();
  private Optional<WorkingSet> workingSet = Optional.empty();
  private long offHeapMemstore;
  private CacheFile file =
      new CacheFile(CacheFile.DEFAULT_FOLDER, true, OptionalLong.of(100 * GIB));
  private OptionalLong dataBlock = OptionalLong.empty();
  private OptionalLong indexBlock = OptionalLong.empty();
  private OptionalLong bloomBlock = OptionalLong.empty();
  private OptionalLong cell = OptionalLong.empty();
  private OptionalInt openFiles = OptionalInt.empty();
  private OptionalLong survivors = OptionalLong.empty();
  private final List<TableBlocks> tables = new ArrayList<>();
  private final List<Tuned> tuned = new ArrayList<>();
  private OptionalLong pool = OptionalLong.empty();
  private OptionalInt minimalAllocateSize = OptionalInt.empty();
  private int handlers = 30;
  private Optional<BigDecimal> memstore = Optional.empty();
  private final Map<String, String> config = new LinkedHashMap<>();
  private final List<String> jvmOptions = new ArrayList<>();
  private OptionalInt imageJava = OptionalInt.empty();

  static DeclaredExample regionServer() {
    return new DeclaredExample();
  }

  DeclaredExample heap(long bytes) {
    heap = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample offHeap(long bytes) {
    offHeap = OptionalLong.of(bytes);
    return this;
  }

  /** A limit and nothing else. */
  DeclaredExample limitAlone(long bytes) {
    heap = OptionalLong.empty();
    offHeap = OptionalLong.empty();
    return limit(bytes);
  }

  DeclaredExample withoutHeap() {
    heap = OptionalLong.empty();
    return this;
  }

  DeclaredExample withoutOffHeap() {
    offHeap = OptionalLong.empty();
    return this;
  }

  DeclaredExample workingSet(long bytes) {
    workingSet = Optional.of(new WorkingSet(bytes, false));
    return this;
  }

  DeclaredExample offHeapMemstore(long bytes) {
    offHeapMemstore = bytes;
    return this;
  }

  DeclaredExample file(String folder, boolean persistent, OptionalLong volumeBytes) {
    file = new CacheFile(folder, persistent, volumeBytes);
    return mode(CacheMode.FILE);
  }

  DeclaredExample table(TableBlocks table) {
    tables.add(table);
    return this;
  }

  DeclaredExample tuned(TunedKey key, long value) {
    tuned.add(new Tuned(key, value, "ARule"));
    return this;
  }

  DeclaredExample openFiles(int count) {
    openFiles = OptionalInt.of(count);
    return this;
  }

  DeclaredExample survivors(long bytes) {
    survivors = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample limit(long bytes) {
    limit = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample cores(int value) {
    cores = value;
    return this;
  }

  DeclaredExample load(Load value) {
    load = value;
    return this;
  }

  DeclaredExample mode(CacheMode value) {
    mode = value;
    return this;
  }

  DeclaredExample l1(String fraction) {
    l1 = Optional.of(new BigDecimal(fraction));
    return this;
  }

  DeclaredExample bucketCache(long bytes) {
    bucketCache = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample cell(long bytes) {
    return blocks(65536, 131072, 131072, bytes);
  }

  private DeclaredExample onlyCell(long bytes) {
    cell = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample blocks(long data, long index, long bloom, long cell) {
    dataBlock = OptionalLong.of(data);
    indexBlock = OptionalLong.of(index);
    bloomBlock = OptionalLong.of(bloom);
    return onlyCell(cell);
  }

  DeclaredExample pool(long bytes) {
    pool = OptionalLong.of(bytes);
    return this;
  }

  DeclaredExample minimalAllocateSize(int bytes) {
    minimalAllocateSize = OptionalInt.of(bytes);
    return this;
  }

  DeclaredExample handlers(int value) {
    handlers = value;
    return this;
  }

  DeclaredExample memstore(String fraction) {
    memstore = Optional.of(new BigDecimal(fraction));
    return this;
  }

  DeclaredExample config(String key, String value) {
    config.put(key, value);
    return this;
  }

  DeclaredExample jvmOption(String option) {
    jvmOptions.add(option);
    return this;
  }

  DeclaredExample imageJava(int major) {
    imageJava = OptionalInt.of(major);
    return this;
  }

  Declared build() {
    return new Declared(
        new Memory(heap, offHeap, limit, workingSet, offHeapMemstore),
        cores,
        Disk.SSD,
        load,
        new Cache(mode, l1, bucketCache, file),
        new Blocks(dataBlock, indexBlock, bloomBlock, cell, openFiles),
        tables,
        tuned,
        pool,
        minimalAllocateSize,
        handlers,
        memstore,
        survivors,
        config,
        jvmOptions,
        imageJava,
        FieldNames.below("spec.regionServers"));
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

  /** The problems; empty where there is a plan. */
  List<PlanProblem> problems() {
    return result() instanceof PlanResult.Refused refused ? refused.problems() : List.of();
  }

  /** Asserts that all problems name the field, and the message of the first. */
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
