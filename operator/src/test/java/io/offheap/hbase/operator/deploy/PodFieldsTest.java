package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import io.offheap.hbase.operator.plan.PlanProblem;
import org.junit.jupiter.api.Test;

/** The fields that the operator's client keeps of objects. */
class PodFieldsTest {
  private static final String SPEC =
      """
      nodeName: node-1
      containers:
      - {name: regionserver, image: "hbase:1"}
      volumes:
      - {name: tmp, emptyDir: {}}
      - name: conf
        projected: {sources: [{configMap: {name: hb-conf}}]}
      """;
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: hb-regionserver-0
        labels: {a: b}
        managedFields:
        - {manager: kubelet, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}
      spec:
      """
          + SPEC.indent(2)
          + """
          status:
            phase: Running
            containerStatuses: [{name: regionserver, ready: true, restartCount: 3}]
          """;
  private static final String SET =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      metadata:
        name: hb-regionserver
        managedFields:
        - {manager: operator, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1}
      spec:
        template:
          spec:
      """
          + SPEC.indent(6);

  private final KubernetesSerialization serialization = PodFields.serialization();

  @Test
  void podKeepsFieldsThatAreRead() {
    var pod = serialization.unmarshal(POD, Pod.class);

    assertThat(pod.getMetadata().getLabels()).containsEntry("a", "b");
    assertThat(ConfigMaps.mounts(pod, "hb-conf")).isTrue();
    assertThat(pod.getStatus().getContainerStatuses().get(0).getRestartCount()).isEqualTo(3);
  }

  @Test
  void podLosesItsContainersAndManagedFields() {
    var pod = serialization.unmarshal(POD, Pod.class);

    assertThat(pod.getMetadata().getManagedFields()).isEmpty();
    assertThat(pod.getSpec().getContainers()).isEmpty();
    assertThat(pod.getSpec().getVolumes()).hasSize(1);
  }

  /** They are compared with what is desired, by the fields that the operator has set. */
  @Test
  void templateOfStatefulSetIsWhole() {
    var set = serialization.unmarshal(SET, StatefulSet.class);

    assertThat(set.getMetadata().getManagedFields()).hasSize(1);
    assertThat(set.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
    assertThat(set.getSpec().getTemplate().getSpec().getVolumes()).hasSize(2);
  }

  /** Otherwise one resource would keep the operator from reading all. */
  @Test
  void readsAndRefusesDeeplyNestedResource() {
    var deep = "[".repeat(9_000) + "]".repeat(9_000);
    var fields = "{\"f:a\":".repeat(9_000) + "{}" + "}".repeat(9_000);
    var cluster =
        serialization.unmarshal(
            """
            {"apiVersion": "hbase.offheap.io/v1alpha1", "kind": "HBaseCluster",
             "metadata": {"name": "hb", "managedFields": [{"manager": "m", "fieldsV1": %s}]},
             "spec": {
               "zookeeper": {}, "storage": {},
               "masters": {"podTemplate": {"spec": {"containers": %s}}},
               "regionServers": {"config": {"%s": "b"}, "podTemplate": {"%s": "b"}}}}
            """
                .formatted(fields, deep, "a".repeat(200_000), "a".repeat(200_000)),
            HBaseCluster.class);

    assertThat(cluster.getMetadata().getManagedFields()).isEmpty();
    assertThat(PodTemplateChecks.problems(cluster.getSpec(), PodRights.NONE))
        .extracting(PlanProblem::toString)
        .containsExactly(
            "spec.masters.podTemplate: has more than 24 levels; must be an object with metadata and"
                + " spec",
            "spec.regionServers.podTemplate: has more than 65536 characters; must be an object with"
                + " metadata and spec");
    assertThat(serialization.clone(cluster).getSpec()).isEqualTo(cluster.getSpec());
  }
}
