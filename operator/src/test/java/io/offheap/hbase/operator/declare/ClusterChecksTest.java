package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.tune.Rules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterChecksTest {
  /** Metrics of a longer time would fill the operator's memory. */
  @ParameterizedTest
  @CsvSource({"10m, true", "24h, true", "1441m, false", "9999h, false"})
  void refusesTuningWindowOfMoreThanADay(String window, boolean isPermitted) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managed: {}}
              regionServers: {}
              tuning: {window: %s}
            """
                .formatted(window),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().equals("spec.tuning.window"))
        .hasSize(isPermitted ? 0 : 1);
  }

  /** Each value is within its own bound; the status has the whole twice. */
  @ParameterizedTest
  @CsvSource({"10, true", "20, false", "100, false"})
  void refusesSpecTooLargeForItsStatus(int values, boolean isPermitted) {
    var config = new StringBuilder();
    for (int i = 0; i < values; i++) {
      config.append("\n      my.key.").append(i).append(": ").append("x".repeat(8_000));
    }
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managed: {}}
              regionServers:
                config: %s
            """
                .formatted(config),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().equals("spec"))
        .hasSize(isPermitted ? 0 : 1);
  }

  /** The API server does not check the names of labels in a resource. */
  @ParameterizedTest
  @CsvSource({
    "a,            60000, '',      false",
    "a.,           30000, a/b,     false",
    "a.,           126,   a/b,     true",
    "a.,           126,   aa/b,    false",
    "a,            63,    '',      true",
    "a,            64,    '',      false",
    "example.com/, 1,     app,     true",
    "/,            1,     app,     false",
  })
  void checksLabelsOfPeers(String part, int times, String end, boolean isOne) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managed: {}}
              regionServers: {}
              networkPolicy:
                clients:
                  - podLabels:
                      ? "%s"
                      : x
            """
                .formatted(part.repeat(times) + end),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .noneMatch(it -> isOne && it.message().contains("is not a label's name"))
        .filteredOn(it -> it.field().equals("spec.networkPolicy.clients[0].podLabels"))
        .hasSize(isOne ? 0 : 1);
  }

  @ParameterizedTest
  @CsvSource({
    "archive, true",
    "mastery, true",
    "b-master, false",
    "regionserver-g, false",
    "a-client-b, false"
  })
  void refusesGroupWithRoleInName(String name, boolean isPermitted) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managed: {}}
              regionServers: {}
              regionServerGroups: [{name: first}, {name: %s}]
            """
                .formatted(name),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().equals("spec.regionServerGroups[1].name"))
        .hasSize(isPermitted ? 0 : 1);
  }

  /** No schema checks a resource of what-if. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "masters: {replicas: 2000000000} | spec.masters.replicas: 2000000000 is out of range; must"
            + " be from 1 to 9",
        "zookeeper: {managed: {replicas: 2000000000}} | spec.zookeeper.managed.replicas: 2000000000"
            + " is out of range; must be from 1 to 5",
        "storage: {managed: {dataNodes: 2000000000}} | spec.storage.managed.dataNodes:"
            + " 2000000000 is out of range; must be from 1 to 1000",
        "regionServers: {replicas: 2000000000} | spec.regionServers.replicas: 2000000000 is out of"
            + " range; must be from 1 to 1000",
        "regionServerGroups: [{name: g, replicas: 0}] | spec.regionServerGroups[g].replicas: 0 is"
            + " out of range; must be from 1 to 1000",
        "masters: {replicas: 9} |",
      })
  void refusesCountsThatTheSchemaDoesNotPermit(String field, String refused) {
    var spec = new StringBuilder("{" + field);
    for (var other : List.of("zookeeper: {}", "storage: {managed: {}}", "regionServers: {}")) {
      if (!field.startsWith(other.substring(0, other.indexOf(':') + 1))) {
        spec.append(", ").append(other);
      }
    }
    var cluster =
        Serialization.unmarshal(
            "---\nmetadata: {name: hb, namespace: ns}\nspec: " + spec + "}", HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .extracting(Object::toString)
        .isEqualTo(refused == null ? List.of() : List.of(refused));
  }

  /** The command line takes resources that no schema has checked. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"zk-0:2181,zk-1\", ",
        "\"zk-0/hbase:2181,zk-1:2181\", zk-0/hbase:2181",
        "\"zk-0:2181,zk-1:2181/hbase\", zk-1:2181/hbase",
        "zk-0:70000, zk-0:70000",
        "zk-0:0, zk-0:0",
        "\"zk-0:2181,\", \"\""
      })
  void refusesQuorumWithInvalidServer(String quorum, String refused) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {external: {quorum: "%s"}}
              storage: {managed: {}}
              regionServers: {}
            """
                .formatted(quorum),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().equals("spec.zookeeper.external.quorum"))
        .extracting(Object::toString)
        .isEqualTo(
            refused == null
                ? List.of()
                : List.of(
                    "spec.zookeeper.external.quorum: '"
                        + refused
                        + "' is not a server; must be host or host:port, without a path: the znode"
                        + " is spec.zookeeper.external.znodeParent"));
  }

  /** Any writer of the status may have written it; it must not fail each reconciliation. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{regionServers: {blockCache: {mode: File, file: {storage: {}}}}}",
        "{regionServers: {blockCache: {mode: File, file: {storage: {size: 1x}}}}}",
      })
  void appliedSpecThatIsNotWholeIsNotCompared(String applied) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers:
                memory: {heap: 1Gi, offHeap: 512Mi}
                blockCache: {mode: File, file: {storage: {size: 100Gi}}}
            status: {appliedSpec: APPLIED}
            """
                .replace("APPLIED", applied),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster)).isEmpty();
  }

  @Test
  void refusesUnknownRuleWithNearestName() {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managed: {}}
              regionServers: {}
              tuning: {disabledRules: [MixedTooLong, PoolToSmall]}
            """,
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().startsWith("spec.tuning"))
        .singleElement()
        .hasToString(
            "spec.tuning.disabledRules[1]: 'PoolToSmall' is not a rule; the nearest is"
                + " PoolTooSmall; must be one of "
                + String.join(", ", Rules.all().names()));
  }
}
