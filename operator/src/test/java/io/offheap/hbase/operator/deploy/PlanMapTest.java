package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.SettingDocument;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanMapTest {
  private static final String GROUPS =
      "{memory: {heap: 8Gi, offHeap: 4Gi}}, regionServerGroups: [{name: large, replicas: 1,"
          + " memory: {heap: 16Gi, offHeap: 8Gi}}]";

  @Test
  void hasEveryValueOfEachGroupWithItsReason() {
    var cluster = cluster(GROUPS);
    var plans = plans(cluster);

    var map = PlanMap.of(cluster, plans);

    assertThat(map.getMetadata().getName()).isEqualTo("demo-plan");
    assertThat(map.getMetadata().getOwnerReferences())
        .extracting(it -> it.getKind() + " " + it.getName() + " " + it.getUid())
        .containsExactly("HBaseCluster demo u-1");
    assertThat(map.getData().keySet()).containsExactly("plan-large.yaml", "plan.yaml");
    for (GroupPlan group : plans) {
      var key = group.group().isDefault() ? "plan.yaml" : "plan-large.yaml";
      var document = Serialization.unmarshal(map.getData().get(key), JsonNode.class);
      assertThat(document.path("hash").asText()).isEqualTo(group.plan().hash());
      assertThat(document.path("containerBytes").asLong())
          .isEqualTo(group.plan().containerMemoryBytes());
      var settings = document.path("settings");
      assertThat(settings).hasSameSizeAs(group.plan().settings());
      for (int i = 0; i < settings.size(); i++) {
        Setting setting = group.plan().settings().get(i);
        assertThat(settings.get(i).path("value").textValue()).isEqualTo(setting.text());
        assertThat(settings.get(i))
            .as("the one form of a setting")
            .isEqualTo(Serialization.unmarshal(json(setting), JsonNode.class));
      }
    }
  }

  @Test
  void leavesOutOnlyPlanThatIsTooLong() {
    var cluster = cluster(GROUPS);
    var plans = plans(cluster);
    var large = plans.get(1);
    var tooLong =
        Setting.stored(
            Target.HBASE_SITE, "a.b", "v".repeat(PlanMap.LONGEST), Provenance.DECLARED, "", "");

    var data =
        PlanMap.of(
                cluster,
                List.of(
                    plans.get(0),
                    new GroupPlan(
                        large.group(), new MemoryPlan(List.of(tooLong), large.plan().budget()))))
            .getData();

    assertThat(data.get("plan.yaml")).contains("hbase.bucketcache.size");
    assertThat(data.get("plan-large.yaml")).startsWith("# The plan has too many bytes");
    assertThat(data.values().stream().mapToInt(String::length).sum()).isLessThan(PlanMap.LONGEST);
  }

  private static String json(Setting setting) {
    return Serialization.asJson(SettingDocument.of(setting));
  }

  static List<GroupPlan> plans(HBaseCluster cluster) {
    return ((ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING)).groups();
  }

  static HBaseCluster cluster(String regionServers) {
    return Serialization.unmarshal(
        """
        ---
        {apiVersion: hbase.offheap.io/v1alpha1, kind: HBaseCluster,
         metadata: {name: demo, namespace: test, uid: u-1},
         spec: {zookeeper: {external: {quorum: 'zk:2181'}},
                storage: {external: {rootDir: 'hdfs://ns/hbase'}},
                regionServers: %s}}
        """
            .formatted(regionServers),
        HBaseCluster.class);
  }
}
