package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code what-if} derives the plan of a changed file. */
class WhatIfCommandTest {
  private static final String SPEC = "spec.regionServers.";
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory.heap=20Gi                  | memory: {heap: 20Gi, offHeap: 8Gi}",
        "memory={heap: 4Gi, offHeap: 6Gi}  | memory: {heap: 4Gi, offHeap: 6Gi}",
        "memory.limit=32Gi                 | memory: {heap: 8Gi, offHeap: 8Gi, limit: 32Gi}",
        "resources.limits.cpu=16           | resources: {limits: {cpu: 16}}",
        "memstoreFraction=0.3              | memstoreFraction: '0.3'",
        "blockCache.mode=Lru               | blockCache: {mode: Lru}",
        "config[hbase.a.b]=5               | config: {hbase.a.b: '5'}",
        "config={hbase.a.b: x}             | config: {hbase.a.b: x}",
        "jvmOptions[0]=-XX:SurvivorRatio=4 | jvmOptions: ['-XX:SurvivorRatio=4']",
        "jvmOptions=[-Xss1m]               | jvmOptions: [-Xss1m]",
      })
  void setsField(String assignment, String yaml) throws IOException {
    var changed =
        yaml.startsWith("memory:")
            ? CLUSTER.replaceAll(" +memory: .*\n", "    " + yaml + "\n")
            : CLUSTER + "    " + yaml + "\n";

    var whatIf = whatIf(CLUSTER, assignment);

    var diff = CommandLineRun.of("diff", file("one.yaml", CLUSTER), file("other.yaml", changed));
    assertThat(diff.status()).isEqualTo(1);
    assertThat(whatIf).isEqualTo(diff);
  }

  @Test
  void setsFieldsInOrder() throws IOException {
    var run =
        whatIf(
            CLUSTER,
            "jvmOptions[0]=-XX:SurvivorRatio=4",
            "jvmOptions[1]=-XX:MaxTenuringThreshold=2",
            "jvmOptions[0]=-XX:SurvivorRatio=2");

    assertThat(run.out())
        .containsPattern("SurvivorRatio +8 -> 2")
        .containsPattern("MaxTenuringThreshold +1 -> 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "config[hbase.a.b]=",
        "config[hbase.a.b]=null",
        "jvmOptions[0]=",
        "jvmOptions=",
        "memstoreFraction=",
        "blockCache="
      })
  void removesFieldWithoutValue(String assignment) throws IOException {
    var more =
        """
            config: {hbase.a.b: c}
            jvmOptions: [-Xss1m]
            memstoreFraction: '0.3'
            blockCache: {l1Fraction: '0.2'}
        """;

    var run = whatIf(CLUSTER + more, assignment);

    // A text "null" is a value in a map of texts.
    assertThat(run.out()).contains(assignment.endsWith("null") ? "c -> null" : " -> ");
    assertThat(run.status()).isEqualTo(1);
  }

  /** The plans are of region servers alone, but a name node that restarts stops HBase's writes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "zookeeper.managed.image={tag: v2}                  | zookeeper",
        "storage.managed.image={tag: v2}                    | namenode, datanode",
        "storage.managed.image.tag=v2                       | namenode, datanode",
        "storage.managed.image.tag=v1                       | none",
        "storage.managed.image.digest=sha256:DIGEST         | namenode, datanode",
        "storage.managed.image=                             | none",
        "image={repository: b, tag: v1}                     | namenode, datanode",
        "image={repository: a, tag: v2}                     | none",
      })
  void namesRolesOfZooKeeperAndHdfsThatRestart(String assignment, String roles) throws IOException {
    var managed =
        CLUSTER
            .replace("zookeeper: {external: {quorum: \"zk:2181\"}}", "zookeeper: {managed: {}}")
            .replace(
                "storage: {external: {rootDir: \"hdfs://ns/hbase\"}}",
                "image: {repository: a, tag: v1}\n  storage: {managed: {image: {tag: v1}}}");
    var file = file("one.yaml", managed);
    var set = "spec." + assignment.strip().replace("DIGEST", "0".repeat(64));

    var run = CommandLineRun.of("what-if", file, "--set", set);
    var json = CommandLineRun.of("what-if", file, "--set", set, "-o", "json");

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).as("the plan is the same").isZero();
    if (roles == null) {
      assertThat(run.out()).contains("the plans are the same; no restart is needed\n");
      assertThat(json.out()).doesNotContain("infrastructure");
    } else {
      assertThat(run.out())
          .contains("the plans are the same\n")
          .doesNotContain("no restart")
          .endsWith("\npods restart for another image of theirs: " + roles + "\n");
      assertThat(new ObjectMapper().readTree(json.out()).path("infrastructure"))
          .extracting(JsonNode::asText)
          .containsExactly(roles.split(", "));
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "spec.regionServers.heap=4         | spec.regionServers.heap: unknown field; must be one of"
            + " allocator",
        "spec.regionServers.handlers=many  | spec.regionServers.handlers: has the wrong type; must"
            + " be a whole number",
        "spec.regionServers.disk=ssd       | spec.regionServers.disk: 'ssd' must be one of [SSD,"
            + " HDD, Offline]",
        "spec.regionServers.memory.heap=1Mi | spec.regionServers.memory.heap: 1Mi is out of range;"
            + " must be from 256Mi",
        "spec.regionServers.memory.heap    | '--set': must have a value",
        "spec.regionServers.memory.heap[0]=1 | memory.heap is not a list, and has no [0]",
        "spec.regionServers.memory.heap.a=1  | memory.heap is not a map, and has no a",
        "spec.regionServers.jvmOptions[2]=-Xss1m | spec.regionServers.jvmOptions has 0 entries; [0]"
            + " adds one",
        "metadata.name=other               | must be the path of a field under spec",
        "spec=1                            | must be the path of a field under spec",
        "spec.a..b=1                       | must be the path of a field under spec",
        "spec.regionServers.config[a=1     | must be the path of a field under spec",
        "spec.regionServers.handlers={        | has a value that is not YAML",
      })
  void refusalNamesInvalidAssignmentAndRemedy(String assignment, String message)
      throws IOException {
    var run = CommandLineRun.of("what-if", file("file.yaml", CLUSTER), "--set", assignment.strip());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(" is refused:\n")
        .contains(message.replace("'--set'", "'" + assignment.strip() + "'"))
        .doesNotContain("\tat ")
        .doesNotContain("Exception");
  }

  @Test
  void refusesCommandWithoutAssignment() throws IOException {
    var run = CommandLineRun.of("what-if", file("file.yaml", CLUSTER));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("Missing required option: '--set=FIELD=VALUE'");
  }

  private CommandLineRun whatIf(String cluster, String... assignments) throws IOException {
    var line = new ArrayList<>(List.of("what-if", file("one.yaml", cluster)));
    for (String assignment : assignments) {
      line.add("--set");
      line.add(SPEC + assignment);
    }
    return CommandLineRun.of(line.toArray(new String[0]));
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }
}
