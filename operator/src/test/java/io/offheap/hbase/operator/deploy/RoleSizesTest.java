package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Effects of the heaps and properties of masters, clients, ZooKeeper and HDFS on their pods. */
class RoleSizesTest {
  private static final long MIB = 1L << 20;

  @Test
  void memoryOfTheContainerFollowsTheHeap() {
    var model =
        model("heap: 1Gi", "nameNode: {heap: 2Gi}, dataNode: {heap: 256Mi}", "", "clients: {}");

    assertThat(role(model, Role.ZOOKEEPER).memoryBytes()).isEqualTo((1024 + 256 + 256) * MIB);
    assertThat(role(model, Role.NAMENODE).memoryBytes()).isEqualTo((2048 + 512 + 256) * MIB);
    assertThat(role(model, Role.DATANODE).memoryBytes()).isEqualTo((256 + 64 + 256) * MIB);
    assertThat(role(model, Role.ZOOKEEPER).configFiles().get("jvm.options"))
        .startsWith("-Xmx1024m\n");
    assertThat(role(model, Role.NAMENODE).configFiles().get("jvm.options"))
        .startsWith("-Xmx2048m\n");
  }

  @Test
  void declaredPropertiesAreInTheFileOfTheirRole() {
    var model =
        model(
            "config: {tickTime: '3000', snapCount: '9'}",
            "nameNode: {config: {a.name: x}}, dataNode: {config: {a.data: y}}",
            "config: {a.master: z}",
            "clients: {config: {a.client: '<'}}");

    assertThat(role(model, Role.ZOOKEEPER).configFiles().get("zoo.cfg"))
        .contains("\ntickTime=3000\n", "\nsnapCount=9\n")
        .doesNotContain("tickTime=2000");
    assertThat(role(model, Role.NAMENODE).configFiles().get("hdfs-site.xml")).contains("a.name");
    assertThat(role(model, Role.DATANODE).configFiles().get("hdfs-site.xml"))
        .contains("a.data")
        .doesNotContain("a.name");
    assertThat(role(model, Role.MASTER).configFiles().get("hbase-site.xml")).contains("a.master");
    assertThat(role(model, Role.REGIONSERVER).configFiles().toString())
        .doesNotContain("a.master", "a.name", "a.client");
    assertThat(new ConfigMaps().desired(model))
        .filteredOn(it -> it.getMetadata().getName().equals("demo-client"))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.getData().get("hbase-site.xml"))
                    .contains("<name>a.client</name><value>&lt;</value>"));
  }

  /** The API server also sets the schema's defaults in older clusters. */
  @Test
  void declaredDefaultsChangeNoHash() {
    var before = declared(model("", "", "", ""));

    assertThat(
            declared(
                model(
                    "heap: 256Mi, config: {}",
                    "nameNode: {heap: 512Mi}, dataNode: {}",
                    "config: {}",
                    "clients: {}")))
        .isEqualTo(before);
  }

  @Test
  void fieldsChangeHashOfTheirRoleOnly() {
    var before = declared(model("", "", "", ""));

    assertChanged(before, model("heap: 1Gi", "", "", ""), Role.ZOOKEEPER);
    assertChanged(before, model("config: {snapCount: '9'}", "", "", ""), Role.ZOOKEEPER);
    assertChanged(before, model("", "nameNode: {heap: 1Gi}", "", ""), Role.NAMENODE);
    assertChanged(before, model("", "dataNode: {config: {a: b}}", "", ""), Role.DATANODE);
    assertChanged(before, model("", "", "config: {a: b}", ""), Role.MASTER);
    assertThat(declared(model("", "", "", "clients: {config: {a: b}}"))).isEqualTo(before);
  }

  private static void assertChanged(Map<Role, String> before, ClusterModel model, Role role) {
    var after = declared(model);
    assertThat(after.keySet().stream().filter(it -> !after.get(it).equals(before.get(it))))
        .containsExactly(role);
  }

  private static Map<Role, String> declared(ClusterModel model) {
    return model.roles().stream().collect(Collectors.toMap(RoleModel::role, RoleModel::declared));
  }

  private static RoleModel role(ClusterModel model, Role role) {
    return model.roles().stream().filter(it -> it.role() == role).findFirst().orElseThrow();
  }

  private static ClusterModel model(String zookeeper, String hdfs, String masters, String more) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo, namespace: test, generation: 1}
            spec:
              zookeeper: {managed: {%s}}
              storage: {managed: {%s}}
              masters: {%s}
              regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}}
              %s
            """
                .formatted(zookeeper, hdfs, masters, more),
            HBaseCluster.class);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    return ClusterModel.of(
        cluster,
        plans.groups().stream()
            .map(
                it ->
                    new GroupModel(
                        it,
                        "hbase:1",
                        DeclaredHash.of(cluster.getSpec(), it.group(), "hbase:1", Optional.empty()),
                        3))
            .toList(),
        ClusterModel.Image.of(null, "hbase:1"),
        role -> "hbase:1");
  }
}
