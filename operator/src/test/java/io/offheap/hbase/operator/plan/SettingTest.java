package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingTest {
  private static final TableBlocks WIDE = new TableBlocks("wide (f)", 131072, 0, 0, 2000);

  static Stream<MemoryPlan> plans() {
    return Stream.of(
        regionServer().plan(),
        regionServer().mode(CacheMode.LRU).plan(),
        regionServer().mode(CacheMode.META_ONLY).plan(),
        regionServer().mode(CacheMode.DISABLED).plan(),
        regionServer().file("/cache", true, OptionalLong.of(100 * GIB)).plan(),
        regionServer().limitAlone(64 * GIB).workingSet(20 * GIB).plan(),
        regionServer().offHeapMemstore(2 * GIB).survivors(64 << 20).table(WIDE).plan(),
        regionServer().jvmOption("-XX:SurvivorRatio=4").config("hbase.x", "{} %s").plan());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void everySettingHasAllParts(MemoryPlan plan) {
    assertThat(plan.settings())
        .allSatisfy(
            setting -> {
              assertThat(setting.provenance()).isNotNull();
              assertThat(setting.sentence()).isNotBlank().doesNotContain("{}{}");
              assertThat(setting.origin()).isNotBlank();
              assertThat(setting.typedValue()).isNotNull();
              if (setting.provenance() == Provenance.DECLARED) {
                assertThat(setting.fields()).isNotEmpty();
              }
            });
  }

  /** A sentence contains its inputs, and every number of a formula is an input. */
  @ParameterizedTest
  @MethodSource("plans")
  void sentenceContainsEveryInput(MemoryPlan plan) {
    for (var setting : plan.settings()) {
      for (var input : setting.inputs()) {
        assertThat(setting.sentence()).contains(input.text(setting.reason().names()));
        assertThat(input.name()).isNotBlank();
      }
    }
  }

  @Test
  void inputsReproduceTheStartOfMarking() {
    var ihop = setting(regionServer().plan(), JvmKeys.IHOP);
    var shares =
        decimal(ihop, HBaseKeys.MEMSTORE_SHARE.name())
            .add(decimal(ihop, HBaseKeys.L1_SHARE.name()));
    long index =
        ihop.inputs().stream()
            .filter(it -> it.unit() == Unit.PERCENT_OF_HEAP)
            .mapToLong(it -> (long) it.value())
            .sum();

    assertThat(ihop.typedValue()).isEqualTo(shares.movePointRight(2).longValueExact() + 10 + index);
    assertThat(ihop.unit()).isEqualTo(Unit.PERCENT_OF_HEAP);
    assertThat(ihop.provenance()).isEqualTo(Provenance.DERIVED);
  }

  @Test
  void inputsReproduceBufferAndPool() {
    var plan = regionServer().plan();
    var size = setting(plan, HBaseKeys.BUFFER_SIZE);
    var count = setting(plan, HBaseKeys.BUFFER_COUNT);

    long read = BlockRead.bytes(number(size, "hfile.blockSize"), number(size, "hfile.cellSize"));
    assertThat(size.typedValue()).isEqualTo(Bytes.roundUp(read, 1024));
    long buffer = number(count, HBaseKeys.BUFFER_SIZE.name());
    assertThat(count.typedValue()).isEqualTo(number(count, "handlers") * ((2 << 20) / buffer) * 2);
    assertThat(count.fields()).containsExactly(FieldPath.of("handlers"));
  }

  @Test
  void inputsReproduceThreadsRequestsAndTheContainer() {
    var plan = regionServer().plan();
    var parallel = setting(plan, JvmKeys.PARALLEL_THREADS);
    var concurrent = setting(plan, JvmKeys.CONCURRENT_THREADS);
    var queue = setting(plan, HBaseKeys.CALL_QUEUE);
    var netty = setting(plan, JvmKeys.NETTY_DIRECT_MEMORY);
    var container = setting(plan, Keys.CONTAINER_MEMORY);

    assertThat(parallel.typedValue()).isEqualTo(number(parallel, "cores") * 2 / 3);
    assertThat(parallel.fields()).containsExactly(FieldPath.of("resources.limits.cpu"));
    assertThat(concurrent.typedValue())
        .isEqualTo(number(concurrent, JvmKeys.PARALLEL_THREADS.name()) / 4);
    assertThat(queue.typedValue()).isEqualTo(number(queue, JvmKeys.NETTY_DIRECT_MEMORY.name()) / 2);
    assertThat(netty.text())
        .isEqualTo(Long.toString(ProcessMemory.netty(number(netty, JvmKeys.DIRECT_MEMORY.name()))));
    assertThat(container.typedValue())
        .isEqualTo(
            Bytes.roundUp(
                container.inputs().stream().mapToLong(it -> (long) it.value()).sum(), Bytes.MIB));
    assertThat(container.unit()).isEqualTo(Unit.BYTES);
  }

  @Test
  void jvmSizeIsInBytes() {
    var heap = setting(regionServer().plan(), JvmKeys.HEAP);

    assertThat(heap.text()).isEqualTo("30g");
    assertThat(heap.typedValue()).isEqualTo(30 * GIB);
    assertThat(heap.unit()).isEqualTo(Unit.BYTES);
    assertThat(heap.provenance()).isEqualTo(Provenance.DECLARED);
    assertThat(heap.fields()).containsExactly(FieldPath.of("memory.heap"));
    assertThat(heap.sentence()).isEqualTo("spec.regionServers.memory.heap");
  }

  @Test
  void provenanceIsLiveWhereLiveTableDecides() {
    var plan = regionServer().table(WIDE).plan();
    var size = setting(plan, HBaseKeys.BUFFER_SIZE);

    assertThat(size.provenance()).isEqualTo(Provenance.LIVE);
    assertThat(size.inputs()).filteredOn(Input::isLive).extracting(Input::value).contains(131072L);
    assertThat(setting(plan, HBaseKeys.BUCKET_SIZES).provenance()).isEqualTo(Provenance.LIVE);
    assertThat(setting(plan, JvmKeys.IHOP).provenance()).isEqualTo(Provenance.DERIVED);
  }

  @Test
  void declaredValueKeepsFormulaOfDerivedOne() {
    var plan = regionServer().jvmOption("-XX:ParallelGCThreads=4").plan();
    var threads = setting(plan, JvmKeys.PARALLEL_THREADS);

    assertThat(threads.provenance()).isEqualTo(Provenance.DECLARED);
    assertThat(threads.fields()).containsExactly(FieldPath.of(Target.JVM, "ParallelGCThreads"));
    assertThat(threads.reason().derived()).contains("16");
    assertThat(number(threads, "cores")).isEqualTo(24);
  }

  @Test
  void tunedValueNamesRuleAndNoField() {
    var tuned = setting(regionServer().tuned(TunedKey.IHOP, 70).plan(), JvmKeys.IHOP);

    assertThat(tuned.provenance()).isEqualTo(Provenance.TUNED);
    assertThat(tuned.reason().rule()).contains("ARule");
    assertThat(tuned.fields()).isEmpty();
    assertThat(tuned.origin()).isEqualTo("tuned");
  }

  @Test
  void unknownPropertyIsText() {
    var plan = regionServer().config("hbase.x", "{} %s").plan();
    var unknown = plan.setting(Target.HBASE_SITE, "hbase.x").orElseThrow();

    assertThat(unknown.typedValue()).isEqualTo("{} %s");
    assertThat(unknown.fields()).containsExactly(FieldPath.of(Target.HBASE_SITE, "hbase.x"));
    assertThat(unknown.sentence()).isEqualTo("declared in spec.regionServers.config[hbase.x]");
  }

  @Test
  void unparsablePropertyIsText() {
    var setting =
        Setting.stored(
            Target.HBASE_SITE,
            HBaseKeys.HANDLERS.name(),
            "many",
            Provenance.DECLARED,
            "a reason",
            "");

    assertThat(setting.typedValue()).isEqualTo("many");
    assertThat(setting.key()).isEqualTo(HBaseKeys.HANDLERS);
    assertThat(setting.sentence()).isEqualTo("a reason");
    assertThat(setting.provenance()).isEqualTo(Provenance.DECLARED);
  }

  @Test
  void declaredNotationIsTextAlone() {
    var setting =
        Setting.stored(
            Target.HBASE_SITE,
            HBaseKeys.MSLAB_CHUNK.name(),
            "0x200000",
            Provenance.DECLARED,
            "",
            "");
    var plan = new MemoryPlan(List.of(setting), List.of());

    assertThat(setting.text()).isEqualTo("0x200000");
    assertThat(setting.typedValue()).isEqualTo(2L << 20);
    assertThat(plan.value(HBaseKeys.MSLAB_CHUNK)).contains(2L << 20);
    assertThat(plan.hbaseSite()).containsEntry(HBaseKeys.MSLAB_CHUNK.name(), "0x200000");
  }

  /** HBase reads a float; the file has the digits that were declared. */
  @Test
  void digitsThatAFloatLosesAreTextAlone() {
    var plan = regionServer().memstore("0.312345678901").plan();
    var setting = setting(plan, HBaseKeys.MEMSTORE_SHARE);

    assertThat(setting.text()).isEqualTo("0.312345678901");
    assertThat(setting.typedValue()).isEqualTo(new BigDecimal("0.31234568"));
    assertThat(plan.heapShares().memstore()).isEqualTo(new BigDecimal("0.31234568"));
  }

  @ParameterizedTest
  @EnumSource(Sentence.Form.class)
  void formatsInputByItsForm(Sentence.Form form) {
    var input = new Input("heap", 1L << 30, Unit.BYTES, form, Optional.empty(), false);

    assertThat(input.text(FieldNames.below("a")))
        .isEqualTo(
            switch (form) {
              case PLAIN -> "1073741824";
              case MIB -> "1024 MiB";
              case QUANTITY -> "1Gi";
            });
  }

  @Test
  void refusesSentenceWithoutPlaceForEachPart() {
    assertThatThrownBy(() -> Sentence.of("{} and {}", Sentence.of("one")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Sentence.of("{} and {}", Sentence.of("{}"), Sentence.of("$1")).text(null))
        .isEqualTo("{} and $1");
    assertThat(Sentence.join(" + ", List.of()).text(null)).isEmpty();
  }

  private static Setting setting(MemoryPlan plan, Key<?> key) {
    return plan.setting(key).orElseThrow();
  }

  private static Object input(Setting setting, String name) {
    return setting.inputs().stream()
        .filter(it -> it.name().equals(name))
        .map(Input::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + setting.inputs()));
  }

  private static long number(Setting setting, String name) {
    return (long) input(setting, name);
  }

  private static BigDecimal decimal(Setting setting, String name) {
    return (BigDecimal) input(setting, name);
  }
}
