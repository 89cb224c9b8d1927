package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The images of ZooKeeper and HDFS before a pass changes them, and how their pods are.
 *
 * @param sets the cluster's StatefulSets
 * @param pods its pods
 * @param now the time
 */
public record ObservedImages(List<StatefulSet> sets, List<Pod> pods, Instant now) {
  /** Of a cluster without objects. */
  public static final ObservedImages NONE = new ObservedImages(List.of(), List.of(), Instant.EPOCH);

  public ObservedImages {
    sets = List.copyOf(sets);
    pods = List.copyOf(pods);
  }

  /** Observes a cluster. */
  public static ObservedImages of(Context<HBaseCluster> context, Instant now) {
    return new ObservedImages(
        List.copyOf(context.getSecondaryResources(StatefulSet.class)),
        PodSource.pods(context),
        now);
  }

  /** Whether the role's StatefulSet has an image in its template. */
  public boolean isOfTemplate(Role role, String image) {
    return set(role, image).isPresent();
  }

  /**
   * Whether a pod serves with an image that the role's StatefulSet has in its template. The pod's
   * own image is not compared: an admission webhook may have replaced it by that of a mirror.
   */
  public boolean doesServe(Role role, String image) {
    return set(role, image).stream()
        .anyMatch(set -> pods(role).anyMatch(it -> PodStates.serves(it, role) && isOf(set, it)));
  }

  /** Whether all declared pods of a role serve. */
  public boolean doAllServe(Role role) {
    return sets(role).anyMatch(it -> serving(role) >= it.getSpec().getReplicas());
  }

  private long serving(Role role) {
    return pods(role).filter(it -> PodStates.serves(it, role)).count();
  }

  /** Whether a pod of a role cannot start, for another reason than the lack of a node. */
  public boolean cannotStart(Role role) {
    return pods(role).anyMatch(it -> cannotStart(it, role));
  }

  /**
   * Whether a pod with an image that the role's StatefulSet has in its template serves, or may do
   * so yet: it can start, or it is about to be made.
   */
  public boolean mayServe(Role role, String image) {
    return set(role, image).stream()
        .anyMatch(
            set ->
                pods(role).count() < set.getSpec().getReplicas()
                    || pods(role).anyMatch(it -> isOf(set, it) && !cannotStart(it, role)));
  }

  /**
   * Whether a pod of a role with an image that its StatefulSet has in its template cannot start.
   */
  public boolean cannotStart(Role role, String image) {
    return set(role, image).stream()
        .anyMatch(set -> pods(role).anyMatch(it -> isOf(set, it) && cannotStart(it, role)));
  }

  private boolean cannotStart(Pod pod, Role role) {
    return PodStates.cannotStart(pod, role, now);
  }

  private Optional<StatefulSet> set(Role role, String image) {
    return sets(role)
        .filter(
            set ->
                set.getSpec().getTemplate().getSpec().getContainers().stream()
                    .filter(it -> it.getName().equals(role.text()))
                    .anyMatch(it -> image.equals(it.getImage())))
        .findFirst();
  }

  private Stream<StatefulSet> sets(Role role) {
    return sets.stream().filter(it -> Labels.isRole(it, role));
  }

  private Stream<Pod> pods(Role role) {
    return pods.stream().filter(it -> Labels.isRole(it, role));
  }

  /** Each hash counts the image; another version of the operator changes one of them alone. */
  private static boolean isOf(StatefulSet set, HasMetadata pod) {
    var template = set.getSpec().getTemplate().getMetadata();
    return Stream.of(Labels.TEMPLATE_HASH, Labels.DECLARED_HASH)
        .anyMatch(
            it ->
                annotation(template, it)
                    .filter(
                        hash -> annotation(pod.getMetadata(), it).filter(hash::equals).isPresent())
                    .isPresent());
  }

  private static Optional<String> annotation(ObjectMeta metadata, String key) {
    return Optional.ofNullable(metadata.getAnnotations()).map(it -> it.get(key));
  }
}
