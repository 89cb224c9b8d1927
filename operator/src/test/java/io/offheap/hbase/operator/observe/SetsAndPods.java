package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** StatefulSets of a cluster and their pods, as an API server has them. */
public final class SetsAndPods {
  private final List<StatefulSet> sets = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();

  /** Adds a StatefulSet whose template has an image, and that image as both of its hashes. */
  public SetsAndPods set(Role role, int replicas, String image) {
    sets.add(
        new StatefulSetBuilder()
            .withNewMetadata()
            .withName("hb-" + role.text())
            .addToLabels(Labels.COMPONENT, role.text())
            .endMetadata()
            .withNewSpec()
            .withReplicas(replicas)
            .withNewTemplate()
            .withNewMetadata()
            .withAnnotations(hashes(image, image))
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("sidecar")
            .withImage("other:1")
            .endContainer()
            .addNewContainer()
            .withName(role.text())
            .withImage(image)
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build());
    return this;
  }

  /** Adds a pod that serves, made from a template with an image. */
  public SetsAndPods ready(Role role, int ordinal, String image) {
    return ready(role, ordinal, image, image);
  }

  /** The same, with the hash of another template, or of other declared fields. */
  public SetsAndPods ready(Role role, int ordinal, String template, String declared) {
    return add(
        pod(role, ordinal, hashes(template, declared))
            .editStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .endStatus());
  }

  /** Adds a pod that has just been made. */
  public SetsAndPods starting(Role role, int ordinal, String image) {
    return add(pod(role, ordinal, hashes(image, image)));
  }

  /** Adds a pod that cannot start. */
  public SetsAndPods withoutImage(Role role, int ordinal, String image) {
    return add(
        pod(role, ordinal, hashes(image, image))
            .editStatus()
            .withContainerStatuses(
                new ContainerStatusBuilder()
                    .withName(role.text())
                    .withNewState()
                    .withNewWaiting("not found", "ErrImagePull")
                    .endState()
                    .build())
            .endStatus());
  }

  /** Adds a pod that no node has room for. */
  public SetsAndPods withoutNode(Role role, int ordinal, String image) {
    return add(
        pod(role, ordinal, hashes(image, image))
            .editStatus()
            .addNewCondition()
            .withType("PodScheduled")
            .withStatus("False")
            .endCondition()
            .endStatus());
  }

  /** What a pass observes. */
  public ObservedImages observed() {
    return new ObservedImages(sets, pods, Instant.parse("2026-01-01T12:00:00Z"));
  }

  private SetsAndPods add(PodBuilder pod) {
    pods.add(pod.build());
    return this;
  }

  private static PodBuilder pod(Role role, int ordinal, Map<String, String> hashes) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("hb-" + role.text() + "-" + ordinal)
        .addToLabels(Labels.COMPONENT, role.text())
        .withAnnotations(hashes)
        .endMetadata()
        .withNewStatus()
        .endStatus();
  }

  private static Map<String, String> hashes(String template, String declared) {
    return Map.of(Labels.TEMPLATE_HASH, template, Labels.DECLARED_HASH, declared);
  }
}
