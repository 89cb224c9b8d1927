package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase's own pages: which pods serve them, and by which Service. */
class WebPagesTest {
  private static final EnvVar ON = new EnvVar("WEB_PAGES", "true", null);

  private static ClusterModel model(String declared) {
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
              DECLARED
            """
                .replace("DECLARED", declared),
            HBaseCluster.class);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    var groups =
        plans.groups().stream()
            .map(
                it ->
                    new GroupModel(
                        it,
                        "hbase",
                        DeclaredHash.of(cluster.getSpec(), it.group(), "hbase", Optional.empty()),
                        1))
            .toList();
    var image = new ClusterModel.Image("hbase", Optional.empty(), List.of());
    return ClusterModel.of(cluster, groups, image, role -> "hbase");
  }

  private static Map<String, Service> services(ClusterModel model) {
    return new Services()
        .desired(model).stream()
            .collect(Collectors.toMap(it -> it.getMetadata().getName(), Function.identity()));
  }

  /** Names of the StatefulSets whose containers serve pages. */
  private static Set<String> serving(ClusterModel model) {
    return model.roles().stream()
        .filter(
            it ->
                PodTemplates.of(model, it).getSpec().getContainers().stream()
                    .anyMatch(container -> container.getEnv().contains(ON)))
        .map(RoleModel::name)
        .collect(Collectors.toSet());
  }

  private static Map<String, String> declaredHashes(ClusterModel model) {
    return model.roles().stream().collect(Collectors.toMap(RoleModel::name, RoleModel::declared));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "webPages: {}", "webPages: {masters: false, clients: [{podLabels: {a: b}}]}"})
  void servesNoneUnlessDeclared(String declared) {
    var model = model(declared);

    assertThat(WebPages.of(model.cluster())).isEmpty();
    assertThat(serving(model)).isEmpty();
    assertThat(services(model).keySet()).noneMatch(it -> it.endsWith("-pages"));
    assertThat(declaredHashes(model)).isEqualTo(declaredHashes(model("")));
  }

  @Test
  void servesThoseOfTheDeclaredRoleAlone() {
    var model = model("webPages: {masters: true}");

    assertThat(serving(model)).containsExactly("hb-master");
    var services = services(model);
    assertThat(services).containsKey("hb-master-pages").doesNotContainKey("hb-regionserver-pages");
    var spec = services.get("hb-master-pages").getSpec();
    assertThat(spec.getClusterIP()).isNull();
    assertThat(spec.getSelector()).isEqualTo(Labels.of(model.cluster(), Role.MASTER));
    assertThat(spec.getPorts()).singleElement().extracting(it -> it.getPort()).isEqualTo(16010);
  }

  @Test
  void oneServiceSelectsTheServersOfAllGroups() {
    var model = model("webPages: {regionServers: true}");

    assertThat(serving(model))
        .containsExactlyInAnyOrder("hb-regionserver", "hb-regionserver-other");
    var selector = services(model).get("hb-regionserver-pages").getSpec().getSelector();
    assertThat(model.regionServers())
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.labels()).containsAllEntriesOf(selector));
  }

  /** Otherwise the pods would be taken for those of another version of the operator, and stay. */
  @Test
  void restartsTheServersOfTheDeclaredRoleAlone() {
    var before = declaredHashes(model(""));

    assertThat(changed(before, model("webPages: {masters: true}"))).containsExactly("hb-master");
    assertThat(changed(before, model("webPages: {regionServers: true}")))
        .containsExactlyInAnyOrder("hb-regionserver", "hb-regionserver-other");
  }

  private static Set<String> changed(Map<String, String> before, ClusterModel model) {
    return declaredHashes(model).entrySet().stream()
        .filter(it -> !it.getValue().equals(before.get(it.getKey())))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
