package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.offheap.hbase.operator.deploy.Labels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many pods a StatefulSet keeps if fewer are declared. */
class HeldReplicasTest {
  private static final String SET = "hb-regionserver";

  private static Pod pod(int ordinal) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(SET + "-" + ordinal)
        .addToLabels(Labels.COMPONENT, "regionserver")
        .endMetadata()
        .build();
  }

  private static StatefulSet set(int replicas, int pods) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(SET)
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .withNewStatus()
        .withReplicas(pods)
        .endStatus()
        .build();
  }

  private static int held(List<Pod> pods, List<StatefulSet> sets, int declared) {
    return new HeldReplicas(pods, sets, Optional.empty()).of(SET, declared);
  }

  @Test
  void surplusPodIsKept() {
    assertThat(held(List.of(pod(0), pod(1), pod(2)), List.of(set(3, 3)), 1)).isEqualTo(3);
    assertThat(held(List.of(pod(0), pod(2)), List.of(set(3, 2)), 1)).isEqualTo(3);
    // It was scaled by hand, and its pods stop one by one.
    assertThat(held(List.of(pod(0), pod(1), pod(2)), List.of(set(1, 3)), 1)).isEqualTo(3);
  }

  @Test
  void podOfAnyOrdinalMakesNoStatefulSetLarger() {
    var pods = List.of(pod(0), pod(1), pod(999_999_999));
    assertThat(held(pods, List.of(set(2, 2)), 2)).isEqualTo(2);
    assertThat(held(pods, List.of(set(2, 2)), 5)).isEqualTo(5);
    // Deleted without its pods, of which one was missing.
    assertThat(held(List.of(pod(0), pod(2)), List.of(), 1)).isEqualTo(3);
    assertThat(held(pods, List.of(), 1)).isEqualTo(6);
  }
}
