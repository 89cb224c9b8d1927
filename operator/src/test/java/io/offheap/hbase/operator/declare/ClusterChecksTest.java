package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.tune.Rules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterChecksTest {
  /** The API server does not look at the names of labels, however long they are. */
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
  void labelsOfPeers(String part, int times, String end, boolean isOne) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managedHdfs: {}}
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
        .noneMatch(it -> isOne && it.message().contains("is no label's name"))
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
  void refusesGroupWithARoleInItsName(String name, boolean isPermitted) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managedHdfs: {}}
              regionServers: {}
              regionServerGroups: [{name: first}, {name: %s}]
            """
                .formatted(name),
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().equals("spec.regionServerGroups[1].name"))
        .hasSize(isPermitted ? 0 : 1);
  }

  @Test
  void refusesUnknownRuleWithNearestName() {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {}
              storage: {managedHdfs: {}}
              regionServers: {}
              tuning: {disabledRules: [MixedTooLong, PoolToSmall]}
            """,
            HBaseCluster.class);

    assertThat(ClusterChecks.problems(cluster))
        .filteredOn(it -> it.field().startsWith("spec.tuning"))
        .singleElement()
        .hasToString(
            "spec.tuning.disabledRules[1]: 'PoolToSmall' is not a rule; the nearest is PoolTooSmall; must"
                + " be one of "
                + String.join(", ", Rules.all().names()));
  }
}
