package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.FieldPath;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fields have the names of their group, and values of a profile differ from declared ones. */
class ProvenanceTest {
  private static final String DEFAULT_GROUP =
      """
      spec:
        regionServers:
          memory: {heap: 16Gi, offHeap: 16Gi}
          resources: {limits: {cpu: "8"}}
          memstoreFraction: "0.4"
      """;

  private static final String HOT =
      DEFAULT_GROUP
          + "  regionServerGroups:\n"
          + "  - {name: hot, replicas: 1, config: {hbase.rootdir: x}}\n";

  private static final String PROFILE =
      """
      spec:
        regionServers:
          profile: Xiaomi-Cluster
          memory: {heap: 50Gi, offHeap: 50Gi}
          resources: {limits: {cpu: "24"}}
          memstoreFraction: "0.4"
      """;

  @Test
  void declaredFieldIsProvenance() {
    var memstore = setting(DEFAULT_GROUP, HBaseKeys.MEMSTORE_SHARE);

    assertThat(memstore.provenance()).isEqualTo(Provenance.DECLARED);
    assertThat(memstore.fields()).containsExactly(FieldPath.of("memstoreFraction"));
    assertThat(memstore.sentence())
        .startsWith("declared in spec.regionServers.memstoreFraction; derived would be 0.45: ");
    assertThat(memstore.origin()).isEqualTo("declared");
  }

  @Test
  void reasonsAndProblemsOfGroupNameItsFields() {
    var group = groups(HOT).get(1);
    var refused = (PlanResult.Refused) new Plans().of(group, ObservedInputs.NOTHING);

    assertThat(refused.problems())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.field())
                  .isEqualTo("spec.regionServerGroups[hot].config[hbase.rootdir]");
              assertThat(it.path()).contains(FieldPath.of(Target.HBASE_SITE, "hbase.rootdir"));
              assertThat(it.kind()).isEqualTo(PlanProblem.Kind.VALUE);
            });
    var fine = groups(HOT.replace("hbase.rootdir", "hbase.x")).get(1);
    assertThat(setting(fine, JvmKeys.HEAP).sentence())
        .isEqualTo("spec.regionServerGroups[hot].memory.heap");
  }

  @Test
  void provenanceIsProfileUnlessFieldIsDeclared() {
    var ofProfile =
        ((PlanResult.Planned) new Plans().of(groups(PROFILE).get(0), ObservedInputs.NOTHING))
            .plan().settings().stream()
                .filter(it -> it.provenance() == Provenance.PROFILE)
                .toList();

    assertThat(ofProfile).isNotEmpty();
    assertThat(ofProfile)
        .allSatisfy(
            it -> {
              assertThat(it.origin()).isEqualTo("profile Xiaomi-Cluster");
              assertThat(it.fields()).isNotEmpty();
            });
    assertThat(setting(PROFILE, HBaseKeys.MEMSTORE_SHARE).provenance())
        .isEqualTo(Provenance.DECLARED);
  }

  @Test
  void documentHasDerivedValueThatOverrideContradicts() {
    var refused =
        (PlanResult.Refused)
            new Plans()
                .of(
                    groups(HOT.replace("hbase.rootdir: x", "hbase.ipc.max.request.size: \"1\""))
                        .get(1),
                    ObservedInputs.NOTHING);

    assertThat(refused.problems())
        .singleElement()
        .extracting(PlanProblem::kind)
        .isEqualTo(PlanProblem.Kind.OTHER_THAN_DERIVED);
  }

  private static List<ServerGroup> groups(String text) {
    return ServerGroups.of(Serialization.unmarshal(text, HBaseCluster.class).getSpec());
  }

  private static Setting setting(String text, Key<?> key) {
    return setting(groups(text).get(0), key);
  }

  private static Setting setting(ServerGroup group, Key<?> key) {
    var result = new Plans().of(group, ObservedInputs.NOTHING);
    assertThat(result).isInstanceOf(PlanResult.Planned.class);
    return ((PlanResult.Planned) result).plan().setting(key).orElseThrow();
  }
}
