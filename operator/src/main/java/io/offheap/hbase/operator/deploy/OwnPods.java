package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which pods belong to a cluster. */
public final class OwnPods {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-[0-9]{1,9}");

  private OwnPods() {}

  /**
   * The cluster that a pod belongs to by its labels, if the StatefulSet that they name controls the
   * pod. Any other pod with a cluster's labels belongs to none.
   */
  public static Optional<ResourceID> owner(Pod pod) {
    return Labels.statefulSetOf(pod.getMetadata().getLabels())
        .filter(set -> isOf(set, pod))
        .map(
            set ->
                new ResourceID(
                    pod.getMetadata().getLabels().get(Labels.INSTANCE),
                    pod.getMetadata().getNamespace()));
  }

  /**
   * A pod without a controller counts if its StatefulSet selects it: a new one is about to adopt
   * it. A reference with another uid than the StatefulSet's counts until Kubernetes' garbage
   * collector has deleted the pod for it.
   */
  private static boolean isOf(String set, Pod pod) {
    var name = NUMBERED.matcher(pod.getMetadata().getName());
    if (!name.matches() || !name.group(1).equals(set)) {
      return false;
    }
    var controllers =
        pod.getMetadata().getOwnerReferences().stream()
            .filter(it -> Boolean.TRUE.equals(it.getController()))
            .toList();
    return controllers.isEmpty()
        ? Labels.isSelected(pod.getMetadata().getLabels())
        : controllers.stream()
            .allMatch(
                it ->
                    it.getApiVersion().startsWith("apps/")
                        && it.getKind().equals("StatefulSet")
                        && it.getName().equals(set));
  }
}
