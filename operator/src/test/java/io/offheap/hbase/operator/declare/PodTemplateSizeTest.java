package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Templates that are within their other bounds, and make a StatefulSet too large. */
class PodTemplateSizeTest {
  @Test
  void manyPortsAreRefused() {
    assertThat(problems(servers(ports(2_100)))).isEmpty();
    assertThat(problems(servers(ports(2_500))))
        .singleElement()
        .asString()
        .matches(
            "spec.regionServers.podTemplate: [0-9]{6} bytes in a StatefulSet, with the API server's"
                + " record of each field; must be at most 327680");
  }

  @ParameterizedTest
  @CsvSource({"hostAliases", "topologySpreadConstraints", "variables"})
  void manyEntriesAreRefused(String kind) {
    var template =
        switch (kind) {
          case "hostAliases" -> entries(kind, 3_000, "{ip: 10.0.%1$d.%2$d}");
          case "topologySpreadConstraints" ->
              entries(
                  kind, 500, "{maxSkew: 1, topologyKey: k%3$d, whenUnsatisfiable: DoNotSchedule}");
          default -> containers("containers") + ", " + containers("initContainers");
        };

    assertThat(problems(servers(template))).isNotEmpty();
  }

  /** A template of few large texts takes little more than they do. */
  @Test
  void longTextIsPermitted() {
    var text = "\\u4e2d".repeat(30_000);

    assertThat(
            problems(
                "regionServers: {podTemplate: {metadata: {annotations: {a: \"" + text + "\"}}}}"))
        .isEmpty();
  }

  /** With what its group inherits, and reported once where none is added. */
  @Test
  void inheritedFieldsCount() {
    var groups =
        ", regionServerGroups: [{name: g}, {name: h, podTemplate: {spec: {"
            + entries("hostAliases", 1_200, "{ip: 10.0.%1$d.%2$d}")
            + "}}}]";

    assertThat(problems(servers(ports(2_000)) + groups))
        .extracting(PlanProblem::field)
        .containsExactly("spec.regionServerGroups[h].podTemplate");
    assertThat(problems(servers(ports(2_500)) + ", regionServerGroups: [{name: g}]"))
        .extracting(PlanProblem::field)
        .containsExactly("spec.regionServers.podTemplate");
  }

  /** An operator without the limit has applied it: the cluster runs, and must stay changeable. */
  @Test
  void appliedTemplateIsPermittedUntilItChanges() {
    var applied = cluster(servers(ports(2_500)));
    var cluster =
        cluster(servers(ports(2_500)).replace("{podTemplate", "{memory: {heap: 8Gi}, podTemplate"));
    assertThat(PodTemplateChecks.sizeProblems(cluster)).as("without a status").hasSize(1);

    cluster.setStatus(new HBaseClusterStatusBuilder().appliedSpec(applied.getSpec()).build());

    assertThat(PodTemplateChecks.sizeProblems(cluster)).isEmpty();
    var larger = cluster(servers(ports(2_501)));
    larger.setStatus(cluster.getStatus());
    assertThat(PodTemplateChecks.sizeProblems(larger)).hasSize(1);
    var moved =
        cluster("masters: {podTemplate: {spec: {" + ports(2_500) + "}}}, regionServers: {}");
    moved.setStatus(cluster.getStatus());
    assertThat(PodTemplateChecks.sizeProblems(moved))
        .extracting(PlanProblem::field)
        .containsExactly("spec.masters.podTemplate");
  }

  /** After a rollback the pods have it, and it is not what was applied last. */
  @Test
  void lastGoodTemplateIsPermitted() {
    var cluster = cluster(servers(ports(2_500)));
    cluster.setStatus(
        new HBaseClusterStatusBuilder()
            .appliedSpec(cluster(servers(ports(1))).getSpec())
            .lastGood(new HBaseClusterStatus.LastGood(cluster.getSpec(), null))
            .build());

    assertThat(PodTemplateChecks.sizeProblems(cluster)).isEmpty();
  }

  private static String servers(String spec) {
    return "regionServers: {podTemplate: {spec: {" + spec + "}}}";
  }

  private static String containers(String field) {
    return list(
        field,
        10,
        it -> "{name: c%d, image: i, %s}".formatted(it, entries("env", 200, "{name: V%3$d}")));
  }

  private static String ports(int count) {
    return "containers: [{name: logs, image: i, "
        + list("ports", count, it -> "{containerPort: " + (20_000 + it) + "}")
        + "}]";
  }

  /** With the number's high and low byte and the number itself as arguments. */
  private static String entries(String field, int count, String entry) {
    return list(field, count, it -> entry.formatted(it / 250, it % 250, it));
  }

  private static String list(String field, int count, IntFunction<String> entry) {
    return IntStream.range(0, count)
        .mapToObj(entry)
        .collect(Collectors.joining(", ", field + ": [", "]"));
  }

  private static HBaseCluster cluster(String fields) {
    return Serialization.unmarshal(
        "metadata: {name: hb, namespace: ns}\nspec: {zookeeper: {}, storage: {}, " + fields + "}",
        HBaseCluster.class);
  }

  private static List<PlanProblem> problems(String fields) {
    var cluster = cluster(fields);
    assertThat(PodTemplateChecks.problems(cluster.getSpec(), PodRights.ALL))
        .as("the other checks")
        .isEmpty();
    return PodTemplateChecks.sizeProblems(cluster);
  }
}
