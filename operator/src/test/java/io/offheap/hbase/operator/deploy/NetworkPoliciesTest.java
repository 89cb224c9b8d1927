package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Permitted connections to a cluster's pods. */
class NetworkPoliciesTest {
  private static final OperatorPods OPERATOR = new OperatorPods("ops", Map.of("app", "operator"));

  private static Map<String, NetworkPolicy> policies(String declared) {
    return policies(declared, Optional.of(OPERATOR));
  }

  private static Map<String, NetworkPolicy> policies(
      String declared, Optional<OperatorPods> operator) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
              regionServerGroups: [{name: other, replicas: 1}]
              networkPolicy: DECLARED
            """
                .replace("DECLARED", declared),
            HBaseCluster.class);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    var groups = plans.groups().stream().map(it -> new GroupModel(it, "hbase", "", 1)).toList();
    var image = new ClusterModel.Image("hbase", Optional.empty(), List.of());
    var model = ClusterModel.of(cluster, groups, image, role -> "hbase").reachedBy(operator);
    return new NetworkPolicies()
        .desired(model).stream()
            .collect(Collectors.toMap(it -> it.getMetadata().getName(), it -> it));
  }

  /** The operator would write one that it does not keep as a whole in each reconciliation. */
  @Test
  void largestPoliciesAreKeptAsAWhole() {
    var labels =
        IntStream.range(0, 16)
            .mapToObj(it -> "d" + "x".repeat(200) + it + ".com/" + "n".repeat(50) + ": v")
            .collect(Collectors.joining(", ", "{", "}"));
    var clients =
        Stream.generate(() -> "{namespaceLabels: " + labels + ", podLabels: " + labels + "}")
            .limit(15)
            .collect(Collectors.joining(", ", "{clients: [", "]}"));
    assertThat(clients).as("near the limit of a spec").hasSizeBetween(110_000, 131_072);
    var serialization = KeptFields.serialization();

    policies(clients)
        .values()
        .forEach(
            it -> {
              it.getMetadata()
                  .setOwnerReferences(
                      List.of(
                          new OwnerReferenceBuilder()
                              .withApiVersion("hbase.offheap.io/v1alpha1")
                              .withKind("HBaseCluster")
                              .withName("hb")
                              .withUid("u")
                              .build()));
              var kept = serialization.unmarshal(Serialization.asJson(it), NetworkPolicy.class);
              assertThat(kept.getSpec()).isEqualTo(it.getSpec());
            });
  }

  /** The rules of a role, a line each: peers and ports. */
  private static List<String> rules(Map<String, NetworkPolicy> policies, String name) {
    return policies.get(name).getSpec().getIngress().stream()
        .map(
            rule ->
                rule.getFrom().stream()
                        .map(
                            it ->
                                (it.getNamespaceSelector() == null
                                        ? "own"
                                        : sorted(it.getNamespaceSelector().getMatchLabels()))
                                    + " "
                                    + sorted(it.getPodSelector().getMatchLabels()))
                        .collect(Collectors.joining(" or "))
                    + " to "
                    + rule.getPorts().stream()
                        .map(it -> it.getProtocol() + " " + it.getPort().getIntVal())
                        .toList())
        .toList();
  }

  private static String sorted(Map<String, String> labels) {
    return new TreeMap<>(labels).toString();
  }

  private static final String OWN =
      "own {app.kubernetes.io/instance=hb, app.kubernetes.io/managed-by=hbase-offheap-operator,"
          + " app.kubernetes.io/name=hbase} to []";
  private static final String METRICS = "{} {app.kubernetes.io/name=prometheus} to [TCP %d]";
  private static final String FROM_OPERATOR =
      "{kubernetes.io/metadata.name=ops} {app=operator} to [TCP %d, TCP %d]";

  @Test
  void permitsOwnPodsOperatorAndPrometheusByDefault() {
    var policies = policies("{}");

    assertThat(policies)
        .containsOnlyKeys(
            "hb-zookeeper", "hb-namenode", "hb-datanode", "hb-master", "hb-regionserver");
    assertThat(rules(policies, "hb-zookeeper")).containsExactly(OWN, METRICS.formatted(7000));
    assertThat(rules(policies, "hb-namenode")).containsExactly(OWN);
    assertThat(rules(policies, "hb-datanode")).containsExactly(OWN);
    assertThat(rules(policies, "hb-master"))
        .containsExactly(OWN, FROM_OPERATOR.formatted(16000, 16010), METRICS.formatted(16010));
    assertThat(rules(policies, "hb-regionserver"))
        .containsExactly(OWN, FROM_OPERATOR.formatted(16020, 16030), METRICS.formatted(16030));
    assertThat(policies.values())
        .allSatisfy(
            it -> {
              assertThat(it.getSpec().getPolicyTypes()).containsExactly("Ingress");
              assertThat(it.getMetadata().getNamespace()).isEqualTo("ns");
              assertThat(it.getSpec().getPodSelector().getMatchLabels())
                  .containsEntry(Labels.INSTANCE, "hb")
                  .containsEntry(
                      Labels.COMPONENT, it.getMetadata().getName().substring("hb-".length()));
            });
  }

  @Test
  void permitsDeclaredClientsOnClientPorts() {
    var policies =
        policies(
            """
            {clients: [{podLabels: {app: shop}}, {namespaceLabels: {team: shop}}, {}],
             metrics: [{namespaceLabels: {}, podLabels: {app: agent}}]}
            """
                .strip());
    var clients = "own {app=shop} or {team=shop} {} or own {} to [TCP %d]";

    assertThat(rules(policies, "hb-zookeeper"))
        .containsExactly(OWN, clients.formatted(2181), "{} {app=agent} to [TCP 7000]");
    assertThat(rules(policies, "hb-namenode")).containsExactly(OWN);
    assertThat(rules(policies, "hb-master"))
        .containsExactly(
            OWN,
            FROM_OPERATOR.formatted(16000, 16010),
            clients.formatted(16000),
            "{} {app=agent} to [TCP 16010]");
    assertThat(rules(policies, "hb-regionserver")).contains(clients.formatted(16020));
  }

  /** Bulk loads and backups read and write files without WebHDFS. */
  @Test
  void permitsDeclaredHdfsClientsOnRpcAndDataPorts() {
    var policies = policies("{hdfs: [{podLabels: {app: backup}}]}");
    var backup = "own {app=backup} to ";

    assertThat(rules(policies, "hb-namenode")).containsExactly(OWN, backup + "[TCP 8020]");
    assertThat(rules(policies, "hb-datanode"))
        .containsExactly(OWN, backup + "[TCP 9866, TCP 9867]");
    assertThat(rules(policies, "hb-regionserver"))
        .containsExactlyElementsOf(rules(policies("{}"), "hb-regionserver"));
  }

  @Test
  void declaredClientsMayOpenTheServedPages() {
    var policies =
        policies("{}\n  webPages: {masters: true, clients: [{podLabels: {app: ingress}}]}");

    assertThat(rules(policies, "hb-master")).contains("own {app=ingress} to [TCP 16010]");
    assertThat(rules(policies, "hb-regionserver"))
        .containsExactlyElementsOf(rules(policies("{}"), "hb-regionserver"));
  }

  /** A rule without peers would permit all sources. */
  @Test
  void emptyListPermitsNoPeer() {
    var policies = policies("{clients: [], metrics: []}", Optional.empty());

    assertThat(rules(policies, "hb-master")).containsExactly(OWN);
    assertThat(policies.values())
        .flatExtracting(it -> it.getSpec().getIngress())
        .allSatisfy(it -> assertThat(it.getFrom()).isNotEmpty());
  }

  @Test
  void disabledMeansNoPolicy() {
    assertThat(policies("{enabled: false}")).isEmpty();
  }
}
