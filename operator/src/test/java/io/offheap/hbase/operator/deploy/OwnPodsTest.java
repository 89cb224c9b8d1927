package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pods belong to a cluster. */
class OwnPodsTest {
  private static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("ns")
        .addToLabels("app.kubernetes.io/name", "hbase")
        .addToLabels(Labels.MANAGED_BY, Labels.OPERATOR)
        .addToLabels(Labels.INSTANCE, "hb")
        .addToLabels(Labels.COMPONENT, "master")
        .endMetadata()
        .build();
  }

  private static Pod pod(String name, String kind, String owner) {
    return new PodBuilder(pod(name))
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind(kind)
        .withName(owner)
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  @Test
  void podOfStatefulSetBelongsToClusterOfItsLabels() {
    assertThat(OwnPods.owner(pod("hb-master-0", "StatefulSet", "hb-master")))
        .contains(new ResourceID("hb", "ns"));
    // Before the new StatefulSet adopts it.
    assertThat(OwnPods.owner(pod("hb-master-0"))).contains(new ResourceID("hb", "ns"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hb", "hb-", "hb-master", "hb-master-x", "hb-master-99999999999", "0"})
  void podWithoutOrdinalBelongsToNone(String name) {
    assertThat(OwnPods.owner(pod(name))).isEmpty();
  }

  @Test
  void foreignPodWithSameLabelsBelongsToNone() {
    assertThat(OwnPods.owner(pod("hb-master-0", "ReplicaSet", "hb-master"))).isEmpty();
    assertThat(OwnPods.owner(pod("hb-master-0", "StatefulSet", "other"))).isEmpty();
    // A foreign StatefulSet, whose pods have a cluster's labels.
    assertThat(OwnPods.owner(pod("other-0", "StatefulSet", "other"))).isEmpty();
    var forged = pod("hb-master-0", "StatefulSet", "hb-master");
    forged.getMetadata().getOwnerReferences().get(0).setApiVersion("example.com/v1");
    assertThat(OwnPods.owner(forged)).isEmpty();
  }

  /** Its StatefulSet would never adopt it: it lacks a label of the selector. */
  @ParameterizedTest
  @ValueSource(strings = {"app.kubernetes.io/name", Labels.MANAGED_BY, Labels.GROUP})
  void podThatIsNeitherControlledNorSelectedBelongsToNone(String label) {
    var pod = pod("hb-regionserver-0");
    pod.getMetadata().getLabels().put(Labels.COMPONENT, "regionserver");
    pod.getMetadata().getLabels().put(Labels.GROUP, "default");
    assertThat(OwnPods.owner(pod)).isPresent();
    pod.getMetadata().getLabels().remove(label);
    assertThat(OwnPods.owner(pod)).isEmpty();
  }

  @Test
  void podOfGroupBelongsToGroupsStatefulSet() {
    var pod = pod("hb-regionserver-big-0", "StatefulSet", "hb-regionserver-big");
    pod.getMetadata().getLabels().put(Labels.COMPONENT, "regionserver");
    pod.getMetadata().getLabels().put(Labels.GROUP, "big");
    assertThat(OwnPods.owner(pod)).contains(new ResourceID("hb", "ns"));
    pod.getMetadata().getLabels().put(Labels.GROUP, "default");
    assertThat(OwnPods.owner(pod)).isEmpty();
    pod.getMetadata().getLabels().put(Labels.COMPONENT, "something");
    assertThat(OwnPods.owner(pod)).isEmpty();
  }
}
