package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The changes that {@code explain} prints are those that change a value. */
class ExplainCommandTest {
  private static final String DEFAULTS = Vectors.file("defaults");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "MaxGCPauseMillis,                     MaxGCPauseMillis",
    "-XX:MaxGCPauseMillis,                 MaxGCPauseMillis",
    "-XX:MaxGCPauseMillis=90,              MaxGCPauseMillis",
    "-XX:+UseG1GC,                         UseG1GC",
    "-XX:-G1UseAdaptiveIHOP,               G1UseAdaptiveIHOP",
    "-Xmx,                                 Xmx",
    "-Xms30g,                              Xms",
    "'-Xlog:gc*',                          Xlog",
    "jdk.nio.maxCachedBufferSize,          jdk.nio.maxCachedBufferSize",
    "-Djdk.nio.maxCachedBufferSize=262144, jdk.nio.maxCachedBufferSize",
    "hfile.block.cache.size,               hfile.block.cache.size",
    "memory,                               memory",
  })
  void acceptsKeyInEverySpelling(String written, String key) throws IOException {
    assertThat(explain(written, DEFAULTS).get("key").asText()).isEqualTo(key);
  }

  @ParameterizedTest
  @CsvSource({
    "MaxGCPauseMilis,              MaxGCPauseMillis",
    "maxgcpausemillis,             MaxGCPauseMillis",
    "-XX:ParalelGCThreads=4,       ParallelGCThreads",
    "hbase.bucketcache.sise,       hbase.bucketcache.size",
    "allocator.buffer.size,        hbase.server.allocator.buffer.size",
  })
  void refusalOfUnknownKeyNamesNearest(String written, String nearest) {
    var run = CommandLineRun.of("explain", written, DEFAULTS);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(written + " is refused:\n  KEY: the plan of " + DEFAULTS + " has no such value")
        .contains("nearest are " + nearest + ",")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource({
    "ParallelGCThreads,                        spec.regionServers.resources.limits.cpu",
    "MaxGCPauseMillis,                         spec.regionServers.disk",
    "G1NewSizePercent,                         spec.regionServers.load",
    "G1HeapRegionSize,                         spec.regionServers.memory.heap",
    "G1MixedGCCountTarget,                     spec.regionServers.memory.heap",
    "MaxDirectMemorySize,                      spec.regionServers.memory.offHeap",
    "InitiatingHeapOccupancyPercent,           spec.regionServers.memstoreFraction",
    "InitiatingHeapOccupancyPercent,           spec.regionServers.blockCache.l1Fraction",
    "InitiatingHeapOccupancyPercent,           spec.regionServers.blockCache.mode",
    "hbase.bucketcache.size,                   spec.regionServers.allocator.poolSize",
    "hbase.bucketcache.size,                   spec.regionServers.blockCache.bucketCacheSize",
    "hbase.server.allocator.buffer.size,       spec.regionServers.hfile.blockSize",
    "hbase.server.allocator.buffer.size,       spec.regionServers.hfile.cellSize",
    "hbase.server.allocator.max.buffer.count,  spec.regionServers.handlers",
    "hbase.server.allocator.minimal.allocate.size,"
        + " spec.regionServers.allocator.minimalAllocateSize",
    "hfile.index.block.max.size,               spec.regionServers.hfile.indexBlockSize",
    "memory,                                   spec.regionServers.memory.limit",
    "MaxTenuringThreshold,                     spec.regionServers.jvmOptions[0]",
    "ParallelRefProcEnabled,                   spec.regionServers.jvmOptions[0]",
    "hbase.hregion.memstore.mslab.chunksize,"
        + " spec.regionServers.config[hbase.hregion.memstore.mslab.chunksize]",
  })
  void findsFieldsThatChangeValue(String key, String field) throws IOException {
    assertThat(explain(key, DEFAULTS).get("changes"))
        .extracting(change -> change.get("field").asText())
        .contains(field);
  }

  static List<String> vectors() {
    return List.of("defaults", "hbase-21879-case-1", "xiaomi-test-after-tuning");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  @Slow
  void everyExplainedChangeHoldsInWhatIf(String vector) throws Exception {
    for (var setting : Vectors.plan(vector).settings()) {
      for (var change : explain(setting.name(), Vectors.file(vector)).get("changes")) {
        var assignment = change.get("field").asText() + "=" + change.get("to").asText();

        var run =
            CommandLineRun.of("what-if", Vectors.file(vector), "--set", assignment, "-o", "json");

        assertThat(run.status()).as("%s: %s", setting.name(), assignment).isEqualTo(1);
        assertThat(changes(run.out()))
            .filteredOn(row -> row.get("key").asText().equals(setting.name()))
            .as("%s: %s", setting.name(), assignment)
            .singleElement()
            .extracting(row -> row.path("newValue"))
            .isEqualTo(change.path("value"));
      }
    }
  }

  @Test
  void fixedValueHasNoFields() throws IOException {
    assertThat(explain("UseG1GC", DEFAULTS).get("changes")).isEmpty();
  }

  @Test
  void changesDeclaredOptionInPlace() throws IOException {
    var file = folder.resolve("file.yaml");
    Files.writeString(
        file,
        Files.readString(Path.of(DEFAULTS))
            + "    jvmOptions: [-XX:SurvivorRatio=4, -XX:MaxTenuringThreshold=2]\n");

    assertThat(explain("MaxTenuringThreshold", file.toString()).get("changes"))
        .extracting(change -> change.get("field").asText())
        .containsOnly("spec.regionServers.jvmOptions[1]");
  }

  @Test
  void refusesToExplainRefusedResource() {
    var run = CommandLineRun.of("explain", "Xmx", folder.resolve("none.yaml").toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("none.yaml: there is no such file");
  }

  private static JsonNode explain(String key, String file) throws IOException {
    var run = CommandLineRun.of("explain", key, file, "-o", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static List<JsonNode> changes(String json) throws IOException {
    var changes = new ObjectMapper().readTree(json).get("changes");
    return StreamSupport.stream(changes.spliterator(), false).toList();
  }
}
