package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class PodDryRunTest {
  /** Otherwise policies and schema would check another pod. */
  @Test
  void podEqualsStatefulSetControllersPod() {
    var set =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: hb-datanode, namespace: ns, uid: u-1}
            spec:
              serviceName: hb-datanode
              template:
                metadata: {labels: {app: hb}, annotations: {plan: p}}
                spec:
                  containers: [{name: datanode, volumeMounts: [{name: data, mountPath: /data}]}]
                  volumes: [{name: tmp, emptyDir: {}}]
              volumeClaimTemplates: [{metadata: {name: data}}]
            """,
            StatefulSet.class);

    var pod = PodDryRun.pod(set, 2);

    assertThat(pod.getMetadata().getName()).isEqualTo("hb-datanode-2");
    assertThat(pod.getMetadata().getNamespace()).isEqualTo("ns");
    assertThat(pod.getMetadata().getLabels())
        .containsEntry("app", "hb")
        .containsEntry("statefulset.kubernetes.io/pod-name", "hb-datanode-2")
        .containsEntry("apps.kubernetes.io/pod-index", "2");
    assertThat(pod.getMetadata().getAnnotations()).containsEntry("plan", "p");
    assertThat(pod.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getUid()).isEqualTo("u-1");
              assertThat(it.getController()).isTrue();
            });
    assertThat(pod.getSpec().getHostname()).isEqualTo("hb-datanode-2");
    assertThat(pod.getSpec().getSubdomain()).isEqualTo("hb-datanode");
    assertThat(pod.getSpec().getVolumes())
        .extracting(Volume::getName)
        .containsExactly("tmp", "data");
    assertThat(pod.getSpec().getVolumes().get(1).getPersistentVolumeClaim().getClaimName())
        .isEqualTo("data-hb-datanode-2");
    assertThat(set.getSpec().getTemplate().getSpec().getVolumes()).hasSize(1);
  }
}
