package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit status, JSON and refusals of {@code plan}. */
class PlanCommandTest {
  private static final String HEAD =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: test}
      """;

  private static final String CLUSTER =
      HEAD
          + """
          spec:
            zookeeper: {external: {quorum: "zk:2181"}}
            storage: {external: {rootDir: "hdfs://ns/hbase"}}
            regionServers:
              memory: {heap: 1Gi, offHeap: 512Mi}
          """;

  @TempDir private Path folder;

  private static final List<String> PARTS =
      List.of(
          "target",
          "key",
          "value",
          "typedValue",
          "unit",
          "provenance",
          "fields",
          "rule",
          "derived",
          "inputs",
          "reason",
          "source");

  @Test
  void dashReadsStandardInput() throws IOException {
    var run = CommandLineRun.withInput(CLUSTER.getBytes(StandardCharsets.UTF_8), "plan", "-");

    assertThat(run).isEqualTo(CommandLineRun.of("plan", file(CLUSTER)));
    assertThat(CommandLineRun.of("plan", "-").status()).as("an empty input").isEqualTo(2);
  }

  @Test
  void jsonHasFormulaInputsWithUnits() throws IOException {
    var run = CommandLineRun.of("plan", "-o", "json", file(CLUSTER));

    for (var setting : new ObjectMapper().readTree(run.out()).get("settings")) {
      if (setting.get("key").asText().equals("ParallelGCThreads")) {
        assertThat(setting.get("typedValue").isIntegralNumber()).isTrue();
        assertThat(setting.get("unit").asText()).isEqualTo("threads");
        assertThat(setting.get("fields").get(0).asText()).isEqualTo("resources.limits.cpu");
        assertThat(setting.at("/inputs/0/name").asText()).isEqualTo("cores");
        assertThat(setting.at("/inputs/0/value").isIntegralNumber()).isTrue();
        assertThat(setting.at("/inputs/0/unit").asText()).isEqualTo("cores");
        assertThat(setting.at("/inputs/0/field").asText()).isEqualTo("resources.limits.cpu");
        return;
      }
    }
    throw new AssertionError(run.out());
  }

  @Test
  void jsonHasEverySettingWithReason() throws IOException {
    var run = CommandLineRun.of("plan", "-o", "json", file(CLUSTER));

    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    var plan = new ObjectMapper().readTree(run.out());
    assertThat(plan.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "hash", "settings", "hbaseSite", "jvmOptions", "budget", "container");
    assertThat(plan.get("settings"))
        .isNotEmpty()
        .allSatisfy(
            setting -> {
              assertThat(setting.fieldNames())
                  .toIterable()
                  .contains(
                      "target", "key", "value", "typedValue", "provenance", "reason", "source")
                  .isSubsetOf(PARTS);
              assertThat(setting.get("target").asText()).isIn("hbase-site", "jvm", "container");
              assertThat(setting.get("provenance").asText()).isIn("DERIVED", "DECLARED");
              assertThat(setting)
                  .allMatch(
                      part -> part.isContainerNode() ? !part.isEmpty() : !part.asText().isEmpty());
            });
    assertThat(plan.at("/hbaseSite/hbase.server.allocator.buffer.size").asText())
        .isEqualTo("66560");
    assertThat(texts(plan.get("jvmOptions"))).startsWith("-Xms1g", "-Xmx1g");
    long sum = 0;
    for (var item : plan.get("budget")) {
      assertThat(item.get("item").asText()).isNotEmpty();
      sum += item.get("bytes").asLong();
    }
    assertThat(plan.at("/container/memoryBytes").asLong()).isEqualTo(sum).isPositive();
  }

  @Test
  void advisesACacheModeForALoad() throws IOException {
    var file = file(CLUSTER);

    assertThat(CommandLineRun.of("plan", file).out()).doesNotContain("block cache mode");
    var fits = CommandLineRun.of("plan", file, "--working-set", "100Mi");
    assertThat(fits.status()).isZero();
    assertThat(fits.out())
        .contains("block cache mode\n")
        .containsPattern("OffHeap +\\d+\\.\\d MiB +100 % +1\\.00\n")
        .containsPattern("MetaOnly +0\\.0 MiB +0 % ")
        .contains("-> OffHeap, as declared: it finds 100 % of the reads");
    var large = CommandLineRun.of("plan", file, "--working-set", "2Gi");
    assertThat(large.out()).contains("on a local SSD, mode File finds 100 %");
    var hits = CommandLineRun.of("plan", file, "--hit-ratio", "0.9");
    assertThat(hits.out()).containsPattern("OffHeap +\\d+\\.\\d MiB +90 % ");
  }

  @ParameterizedTest
  @CsvSource({
    "MetaOnly, 0.9, without cached data a hit ratio means nothing; give --working-set",
    "Disabled, 0.9, mode Disabled was not measured",
    "OffHeap, 0, the size of what is read does not follow from a hit ratio of 0; give --working-set",
  })
  void namesWhyThereIsNoAdvice(String mode, String ratio, String why) throws IOException {
    var file = file(CLUSTER + "    blockCache: {mode: " + mode + "}\n");

    var run = CommandLineRun.of("plan", file, "--hit-ratio", ratio);
    assertThat(run.status()).isZero();
    assertThat(run.out()).endsWith("block cache mode\n  -> no advice: " + why + "\n");
  }

  @Test
  void adviceFollowsTheDeclaredWorkingSet() throws IOException {
    var cluster = CLUSTER.replace("{heap: 1Gi, offHeap: 512Mi}", "{limit: 2Gi, workingSet: 100Mi}");

    assertThat(CommandLineRun.of("plan", file(cluster)).out())
        .contains("-> OffHeap, as declared: it finds 100 % of the reads");
    assertThat(CommandLineRun.of("plan", file(cluster), "--working-set", "20Gi").out())
        .doesNotContain("it finds 100 % of the reads");
  }

  @Test
  void jsonHasTheAdvice() throws IOException {
    var run = CommandLineRun.of("plan", "-o", "json", "--working-set", "100Mi", file(CLUSTER));

    var mode = new ObjectMapper().readTree(run.out()).get("cacheMode");
    assertThat(mode.get("declared").asText()).isEqualTo("OffHeap");
    assertThat(mode.get("advised").asText()).isEqualTo("OffHeap");
    assertThat(mode.get("reason").asText()).contains("finds 100 %");
    assertThat(mode.get("options")).hasSize(3);
    assertThat(mode.at("/options/0/mode").asText()).isEqualTo("OffHeap");
    assertThat(mode.at("/options/0/cachedBytes").asLong()).isPositive();
    assertThat(mode.at("/options/0/foundShare").asDouble()).isEqualTo(1);
    assertThat(mode.at("/options/0/time").asDouble()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "--working-set, none, 'none' must be a whole number of bytes over 0",
        "--working-set, 0, '0' must be a whole number of bytes over 0",
        "--hit-ratio, 80, '80' must be from 0 to 1",
        "--hit-ratio, -0.1, '-0.1' must be from 0 to 1",
        "--hit-ratio, NaN, 'NaN' must be from 0 to 1",
        "--hit-ratio, most, 'most' must be from 0 to 1",
        "--hit-ratio, 0.8f, '0.8f' must be from 0 to 1",
      })
  void refusesALoadThatIsNone(String option, String value, String message) throws IOException {
    var run = CommandLineRun.of("plan", file(CLUSTER), option + "=" + value);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(option + ": ", message.replace("''", "'"));
  }

  @Test
  void jsonOfRefusedResourceHasProblems() throws IOException {
    var run =
        CommandLineRun.of("plan", "-o", "json", file(CLUSTER.replace("heap: 1Gi", "heap: 1Mi")));

    assertThat(run.status()).isEqualTo(2);
    var document = new ObjectMapper().readTree(run.out());
    assertThat(document.fieldNames()).toIterable().containsExactly("refused", "problems");
    assertThat(document.at("/problems/0/field").asText())
        .isEqualTo("spec.regionServers.memory.heap");
    assertThat(document.at("/problems/0/message").asText())
        .isEqualTo("1Mi is out of range; must be from 256Mi to 4096Gi");
  }

  @Test
  void yamlEqualsJson() throws IOException {
    var json = CommandLineRun.of("plan", "-o", "json", file(CLUSTER));
    var yaml = CommandLineRun.of("plan", "-o", "yaml", file(CLUSTER));

    assertThat(new YAMLMapper().readTree(yaml.out()))
        .isEqualTo(new ObjectMapper().readTree(json.out()));
  }

  @Test
  void findsClusterAmongOtherDocuments() throws IOException {
    var run = CommandLineRun.of("plan", file("kind: ConfigMap\n---\n" + CLUSTER));

    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("plan ").contains("= container");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "plan --help"})
  void helpSucceeds(String line) {
    var run = CommandLineRun.of(line.split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Usage:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plan", "plan -o xml a.yaml", "plan --nonsense"})
  void invalidCommandLineShowsUsage(String line) {
    var run = CommandLineRun.of(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("Usage:").doesNotContain("\tat ");
  }

  @Test
  void invalidCommandIsNamed() {
    var run = CommandLineRun.of("nonsense");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("'nonsense'").doesNotContain("\tat ");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "l1: 0.2               | spec.regionServers.l1                | unknown field; must be one"
            + " of allocator, blockCache,",
        "disk: ssd             | spec.regionServers.disk              | 'ssd' must be one of [SSD,"
            + " HDD, Offline]",
        "disk: 0               | spec.regionServers.disk              | '0' must be one of [SSD,"
            + " HDD, Offline]",
        "resources: {limits: {cpu: many}} | spec.regionServers.resources.limits.cpu | 'many' must"
            + " be a number of CPUs over 0, for example 4",
        "resources: {limits: {cpu: 2000}} | spec.regionServers.resources.limits.cpu | 2000 is out"
            + " of range; must be from 1 to 1024",
        "handlers: 1.5         | spec.regionServers.handlers          | '1.5' must be a whole"
            + " number",
        "handlers: QUOTED4     | spec.regionServers.handlers          | has the wrong type; must be"
            + " a whole number",
        "handlers: [4]         | spec.regionServers.handlers          | has the wrong type; must be"
            + " a whole number",
        "handlers: many        | spec.regionServers.handlers          | has the wrong type; must be"
            + " a whole number",
        "resources: {limits: {cores: 4}} | spec.regionServers.resources.limits.cores | unknown"
            + " field; must be one of cpu, ephemeral-storage, memory",
        "blockCache: [Lru]     | spec.regionServers.blockCache        | has the wrong type; must be"
            + " a map",
        "config: [a]           | spec.regionServers.config            | has the wrong type; must be"
            + " a map",
        "config: {a.b: 5}      | spec.regionServers.config.a.b        | '5' must be a text",
        "config: {a.b: }       | spec.regionServers                   | has an entry without a"
            + " value; each must have one",
        "jvmOptions: {a: b}    | spec.regionServers.jvmOptions        | has the wrong type; must be"
            + " a list",
        "hfile: {blockSize: 64Kb} | spec.regionServers.hfile.blockSize | '64Kb' must be a whole"
            + " number of bytes, for example 30Gi",
        "hfile: {blockSize: -1Ki} | spec.regionServers.hfile.blockSize | -1Ki is out of range; must"
            + " be from 1Ki to 16Mi",
        "hfile: {blockSize: 1e999999999} | spec.regionServers.hfile.blockSize | 'Infinity' must be"
            + " a whole number of bytes",
        "memstoreFraction: NaN | spec.regionServers.memstoreFraction  | 'NaN' must be a share of"
            + " the heap, for example 0.4",
      })
  void refusalNamesInvalidFieldAndRemedy(String yaml, String field, String message)
      throws IOException {
    // CSV would remove quotes before YAML is parsed.
    var line = yaml.replace("QUOTED4", "\"4\"");
    var run = CommandLineRun.of("plan", file(CLUSTER + "    " + line + "\n"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(" is refused:\n  " + field + ": " + message);
    assertThat(run.err()).doesNotContain("\tat ").doesNotContain("Exception");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                         | kind: | 0 documents of kind HBaseCluster; must be exactly"
            + " one",
        "- a                        | kind: | 0 documents of kind HBaseCluster; must be exactly"
            + " one",
        "hello                      | kind: | 0 documents of kind HBaseCluster; must be exactly"
            + " one",
        "{kind: HBaseCluster}       | apiVersion: | '' must be hbase.offheap.io/v1alpha1",
        "{kind: HBaseCluster, apiVersion: v1} | apiVersion: | 'v1' must be"
            + " hbase.offheap.io/v1alpha1",
        "a: [b                      | file.yaml: | cannot be read in line 1: ",
        "{a: 1, a: 2}               | file.yaml: | cannot be read in line 1: Duplicate field 'a'",
      })
  void refusalNamesInvalidFileAndRemedy(String content, String field, String message)
      throws IOException {
    var run = CommandLineRun.of("plan", file(content));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(field).contains(message).doesNotContain("\tat ");
  }

  @Test
  void refusesTwoClusters() throws IOException {
    var run = CommandLineRun.of("plan", file(CLUSTER + "---\n" + CLUSTER));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("2 documents of kind HBaseCluster; must be exactly one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                             | spec.regionServers: is missing",
        "spec:                          | spec.regionServers: is missing",
        "spec: []                       | spec: has the wrong type; must be a map",
        "'spec: {regionServers: }'      | spec.regionServers: is missing",
        "'spec: {regionServers: {}}'    | spec.regionServers.memory: must have heap and offHeap",
        "'spec: {regionServers: {memory: {heap: 1Gi}}}' | spec.regionServers.memory: must have heap"
            + " and offHeap",
        "'spec: {regionServers: {memory: {heap: -1Gi, offHeap: 1Gi}}}' |"
            + " spec.regionServers.memory.heap: -1Gi is out of range; must be from 256Mi",
      })
  void refusalNamesMissingField(String spec, String problem) throws IOException {
    var run = CommandLineRun.of("plan", file(HEAD + spec + "\n"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(problem).doesNotContain("\tat ");
  }

  @Test
  void refusalNamesMissingFile() {
    var run = CommandLineRun.of("plan", folder.resolve("none.yaml").toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("none.yaml: there is no such file");
  }

  private String file(String content) throws IOException {
    return Files.writeString(folder.resolve("file.yaml"), content).toString();
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
