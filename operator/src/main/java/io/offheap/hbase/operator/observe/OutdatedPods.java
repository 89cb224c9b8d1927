package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods must be replaced, by a comparison with what is declared now.
 *
 * @param model the desired state
 * @param templateHashes hash of the current template, by name of the StatefulSet
 */
record OutdatedPods(ClusterModel model, Map<String, String> templateHashes) {
  /** Whether a pod must be replaced: its spec has changed, or its restart was requested. */
  boolean isOutdated(Pod pod) {
    return isChanged(pod) || isRequested(pod);
  }

  /** Whether a restart was requested, of the pod or of all of HBase's servers. */
  boolean isRequested(Pod pod) {
    var requested = Labels.restartedAt(model.cluster());
    return annotation(pod, Labels.RESTART).filter("true"::equals).isPresent()
        || (requested.isPresent()
            && !requested.equals(Labels.restartedAt(pod))
            && (Labels.isRole(pod, Role.REGIONSERVER) || Labels.isRole(pod, Role.MASTER)));
  }

  /**
   * Whether both the pod's declared fields and its template have changed. If only one has, the same
   * pod is declared in another form, or another version of the operator has another template.
   */
  boolean isChanged(Pod pod) {
    var set = Labels.statefulSetOf(pod);
    var role = model.roles().stream().filter(it -> it.name().equals(set)).findFirst();
    return role.isPresent()
        && isOther(pod, Labels.TEMPLATE_HASH, templateHashes.get(set))
        && isOther(pod, Labels.DECLARED_HASH, role.get().declared());
  }

  private static boolean isOther(Pod pod, String annotation, String now) {
    return annotation(pod, annotation).filter(hash -> hash.equals(now)).isEmpty();
  }

  static Optional<String> annotation(Pod pod, String key) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(key));
  }
}
