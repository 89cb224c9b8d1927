package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings of {@code check} in a configuration, and none in a rendered one. */
class CheckCommandTest {
  private static final String CLUSTER =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: test}
      spec:
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/hbase"}}
        regionServers:
          memory: {heap: 8Gi, offHeap: 8Gi}
      """;

  @TempDir private Path folder;

  static List<String> vectors() throws IOException {
    try (var files = Files.list(Vectors.FOLDER)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.replace(".yaml", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void renderedConfigurationMatchesResource(String vector) throws Exception {
    render(Vectors.file(vector));

    assertNoFinding("--against", Vectors.file(vector));
    Files.delete(folder.resolve("jvm.options"));
    assertNoFinding("--against", Vectors.file(vector));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void reportsDeclaredValuesWithoutResource(String vector) throws Exception {
    render(Vectors.file(vector));
    var spec = ClusterFile.read(Vectors.file(vector)).plan("default").group().spec();

    var report =
        check(
            "--cores",
            spec.resources().limits().cpu(),
            "--disk",
            spec.disk(),
            "--load",
            spec.load());

    var declared =
        Vectors.plan(vector).settings().stream()
            .filter(it -> it.provenance() == Provenance.DECLARED && it.target() != Target.CONTAINER)
            .map(Setting::name)
            .toList();
    assertThat(report.get("errors").asInt()).isZero();
    assertThat(report.get("unclear").asInt()).isZero();
    if (declared.stream().noneMatch(key -> key.matches(".*(memstore|alloc|cache).*"))) {
      assertThat(keys(report)).isSubsetOf(declared);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "blockCache: {mode: OffHeap}",
        "blockCache: {mode: File, bucketCacheSize: 100Gi}",
        "blockCache: {mode: File, bucketCacheSize: 100Gi, file: {path: /data/cache}}",
        "blockCache: {mode: File, file: {path: /ssd, storage: {size: 100Gi}}}",
        "blockCache: {mode: MetaOnly}",
        "blockCache: {mode: Lru}",
        "blockCache: {mode: Disabled}",
        "handlers: 200",
        "config: {hbase.bucketcache.writer.threads: '16'}",
        "config: {hbase.hstore.bytes.per.checksum: '4096'}",
        "hfile: {indexBlockSize: 64Ki, bloomBlockSize: 64Ki}",
        "hfile: {openFiles: 1000}\n    config: {dfs.client.read.shortcircuit: 'true'}",
      })
  void renderedConfigurationMatchesDerivedPlan(String yaml) throws Exception {
    var file = folder.resolve("file.yaml");
    Files.writeString(file, CLUSTER + "    " + yaml + "\n");
    render(file.toString());

    assertNoFinding();
    Files.delete(folder.resolve("jvm.options"));
    assertNoFinding();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dfs.client.hedged.read.threadpool.size | 10  | hedged reads allocate each block on the"
            + " heap",
        "hbase.server.allocator.pool.enabled    | false | without the pool every block is read into"
            + " the heap",
        "hfile.block.cache.memory.size          | 1g  | it overrides hfile.block.cache.size",
        "hbase.regionserver.global.memstore.size | 0.75 | HBase starts with at most 80 %",
        "hbase.server.allocator.buffer.size     | 12  | is out of range; must be from 1024",
        "hbase.regionserver.handler.count       | many | must be a whole number, for example 30,"
            + " HBase's default",
        "hbase.regionserver.handler.count       | 0   | is out of range; must be from 1 to 10000",
        "hbase.bucketcache.ioengine             | heap | is not an engine of HBase 2.6",
        "hbase.bucketcache.size                 | 9000 | must fit into -XX:MaxDirectMemorySize 8Gi",
        "hbase.bucketcache.bucket.sizes         | 5,6 | are not bucket sizes",
      })
  void reportsRefusedPropertyAsError(String key, String value, String message) throws Exception {
    renderDefault();
    replace("hbase-site.xml", "<name>" + key + "</name><value>[^<]*</value>", "<name>-</name>");
    replace(
        "hbase-site.xml",
        "</configuration>",
        "<property><name>"
            + key
            + "</name><value>"
            + value
            + "</value></property></configuration>");

    assertThat(findings(check()))
        .filteredOn(it -> it.get("key").asText().equals(key))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.get("severity").asText()).isEqualTo("error");
              assertThat(it.get("place").asText()).isEqualTo("hbase-site.xml");
              assertThat(it.get("value").asText()).isEqualTo(value);
              assertThat(it.get("message").asText()).contains(message).doesNotContain("spec.");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-XX:+PrintGCDateStamps       | PrintGCDateStamps    | stops a JDK 17",
        "-XX:+UseParNewGC             | UseParNewGC          | stops a JDK 17, which has no such"
            + " option",
        "-XX:+UseConcMarkSweepGC      | UseConcMarkSweepGC   | is another collector",
        "-XX:-UseG1GC                 | UseG1GC              | the plan is one for G1",
        "-Xmn1g                       | Xmn                  | fixes the young generation",
        "-Xms9g                       | Xms                  | -Xmx; a heap that grows",
        "-XX:ConcGCThreads=9          | ConcGCThreads        | with which no JVM starts",
        "-XX:-UnlockExperimentalVMOptions -XX:G1NewSizePercent=2 | G1NewSizePercent | is"
            + " experimental",
        "-XX:MaxDirectMemorySize=64m  | MaxDirectMemorySize  | 64Mi is too small",
        "-Xmx100m                     | Xmx                  | 100Mi is out of range; must be from"
            + " 256Mi",
        "-Xmx10000001k                | Xmx                  | is not a whole number of MiB",
      })
  void reportsRefusedJvmOptionAsError(String options, String key, String message) throws Exception {
    renderDefault();
    var file = folder.resolve("jvm.options");
    Files.writeString(file, Files.readString(file) + options.replace(' ', '\n') + "\n");

    assertThat(findings(check()))
        .filteredOn(it -> it.get("key").asText().equals(key))
        .anySatisfy(
            it -> {
              assertThat(it.get("severity").asText()).isEqualTo("error");
              assertThat(it.get("place").asText()).isEqualTo("jvm.options");
              assertThat(it.get("message").asText()).contains(message).doesNotContain("spec.");
            });
  }

  @Test
  void reportsEveryRefusal() throws Exception {
    renderDefault();
    var file = folder.resolve("jvm.options");
    Files.writeString(file, Files.readString(file) + "-Xmx100m\n-XX:+PrintHeapAtGC\n");
    replace("hbase-site.xml", "<value>0.45</value>", "<value>0.79</value>");
    replace("hbase-site.xml", "<value>30</value>", "<value>0</value>");

    assertThat(keys(check("--limit", "64Mi")))
        .contains(
            "Xmx",
            "--limit",
            "PrintHeapAtGC",
            "hbase.regionserver.global.memstore.size",
            "hbase.regionserver.handler.count");
  }

  @Test
  void checksDefaultOfUnsetKey() throws Exception {
    renderDefault();
    replace("hbase-site.xml", "<name>hbase.ipc.server.max.callqueue.size</name>", "<name>-</name>");
    replace("jvm.options", "-XX:MaxTenuringThreshold=1\n", "");

    var found = findings(check());

    assertThat(found)
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.get("isSet").asBoolean()).isFalse());
    assertThat(found)
        .extracting(it -> it.get("key").asText() + "=" + it.get("value").asText())
        .containsExactlyInAnyOrder(
            "hbase.ipc.server.max.callqueue.size=1073741824", "MaxTenuringThreshold=15");
  }

  /** Netty does not parse a unit: 512m is not 536870912. */
  @Test
  void comparesValueAsItsReaderParsesIt() throws Exception {
    renderDefault();
    replace("jvm.options", "maxDirectMemory=536870912", "maxDirectMemory=512m");
    replace("jvm.options", "-Xms8g", "-Xms8192m");

    assertThat(keys(check()))
        .containsExactly("org.apache.hbase.thirdparty.io.netty.maxDirectMemory");
  }

  @Test
  void comparesSumWithLimit() throws Exception {
    renderDefault();

    assertThat(check("--limit", "32Gi").get("errors").asInt()).isZero();
    assertThat(findings(check("--limit", "16Gi")))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.get("key").asText()).isEqualTo("--limit");
              assertThat(it.get("message").asText()).contains("16Gi is too small: heap 8192 MiB +");
            });
  }

  @Test
  void advisesACacheModeForALoad() throws Exception {
    renderDefault();

    assertThat(check().has("cacheMode")).isFalse();
    var mode = check("--working-set", "100Gi", "--hit-ratio", "0.9").get("cacheMode");
    assertThat(mode.get("declared").asText()).isEqualTo("OffHeap");
    assertThat(mode.at("/options/0/foundShare").asDouble()).isEqualTo(0.9, within(1e-6));
    var run = CommandLineRun.of("check", folder.toString(), "--working-set", "1Gi");
    assertThat(run.status()).as("an advice is no finding").isZero();
    assertThat(run.out()).contains("-> OffHeap, as declared: it finds 100 % of the reads");
  }

  @Test
  void refusesALoadThatIsNone() throws Exception {
    renderDefault();

    var run = CommandLineRun.of("check", folder.toString(), "--hit-ratio", "80");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--hit-ratio: '80' must be from 0 to 1");
  }

  @Test
  void refusesUnreadableFolder() throws Exception {
    refused("there is no such file; must be a configuration folder of HBase");
    Files.writeString(
        folder.resolve("hbase-site.xml"), "<configuration><property></configuration>");
    refused("cannot be read in line 1");
    Files.writeString(folder.resolve("hbase-site.xml"), "<settings/>");
    refused("begins with <settings>; must begin with <configuration>");
    Files.writeString(
        folder.resolve("hbase-site.xml"),
        "<!DOCTYPE a [<!ENTITY b SYSTEM"
            + " 'file:///etc/hostname'>]><configuration>&b;</configuration>");
    refused("cannot be read in line 1");
    Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
    refused("must be given, or --limit SIZE");
    Files.writeString(folder.resolve("hbase-env.sh"), "HBASE_OPTS=\"-Xmx$(free -g)\"\n");
    refused("has -Xmx$(free -g), which is not evaluated; must be a size");
  }

  @Test
  void refusesGroupWithoutResource() throws Exception {
    renderDefault();

    var run = CommandLineRun.of("check", folder.toString(), "--group", "archive");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--group: has no meaning without --against FILE");
  }

  private void refused(String message) {
    var run = CommandLineRun.of("check", folder.toString());
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
  }

  private void assertNoFinding(Object... words) throws IOException {
    var report = check(words);
    assertThat(findings(report)).isEmpty();
    assertThat(report.get("asDerived").asInt()).isGreaterThan(30);
    var line = new ArrayList<>(List.of("check", folder.toString()));
    List.of(words).forEach(word -> line.add(word.toString()));
    assertThat(CommandLineRun.of(line.toArray(new String[0])).status()).isZero();
  }

  private JsonNode check(Object... words) throws IOException {
    var line = new ArrayList<>(List.of("check", folder.toString(), "-o", "json"));
    List.of(words).forEach(word -> line.add(word.toString()));
    var run = CommandLineRun.of(line.toArray(new String[0]));
    assertThat(run.err()).isEmpty();
    return new ObjectMapper().readTree(run.out());
  }

  private static List<JsonNode> findings(JsonNode report) {
    return StreamSupport.stream(report.get("findings").spliterator(), false).toList();
  }

  private static List<String> keys(JsonNode report) {
    return findings(report).stream().map(it -> it.get("key").asText()).toList();
  }

  private void renderDefault() throws IOException {
    var file = folder.resolve("file.yaml");
    Files.writeString(file, CLUSTER);
    render(file.toString());
  }

  private void render(String file) {
    var run = CommandLineRun.of("render", file, "--out", folder.toString(), "--force");
    assertThat(run.err()).isEmpty();
  }

  private void replace(String name, String pattern, String text) throws IOException {
    var file = folder.resolve(name);
    Files.writeString(file, Files.readString(file).replaceFirst(pattern, text));
  }
}
