package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

/** What the operator's client keeps of what the API server sends. */
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
  void podKeepsWhatIsRead() {
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
}
