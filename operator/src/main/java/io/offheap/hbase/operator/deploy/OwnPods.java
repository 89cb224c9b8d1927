package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pods of a cluster, by an index that the informer keeps with them: a look through all pods
 * would take each pass of one cluster longer with every other cluster. Not by the framework's
 * index, which is filled by events and lags behind when the operator starts: a pod that is missed
 * looks like one that was deleted.
 */
public final class OwnPods {
  /** Name of the event source. */
  public static final String SOURCE = "pods";

  private static final String INDEX = "cluster";
  private static final Pattern NUMBERED = Pattern.compile("(.+)-[0-9]{1,9}");

  private OwnPods() {}

  /** Has a source of all pods keep the index; before it starts. */
  public static void index(InformerEventSource<Pod, HBaseCluster> pods) {
    pods.addIndexers(Map.of(INDEX, pod -> owner(pod).map(OwnPods::key).stream().toList()));
  }

  private static String key(ResourceID cluster) {
    return cluster.getNamespace().orElse("") + "/" + cluster.getName();
  }

  /** Of the cluster that a pass is about. */
  public static List<Pod> of(Context<HBaseCluster> context) {
    var cluster = ResourceID.fromResource(context.getPrimaryResource());
    var source =
        (InformerEventSource<Pod, HBaseCluster>)
            context.eventSourceRetriever().getEventSourceFor(Pod.class, SOURCE);
    return source.byIndex(INDEX, key(cluster));
  }

  /**
   * The cluster that a pod belongs to: that of its labels, where it is one of the StatefulSet that
   * they name. Any other pod that has a cluster's labels belongs to none.
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

  /** One without a controller is about to be adopted: its StatefulSet has been made anew. */
  private static boolean isOf(String set, Pod pod) {
    var name = NUMBERED.matcher(pod.getMetadata().getName());
    return name.matches()
        && name.group(1).equals(set)
        && pod.getMetadata().getOwnerReferences().stream()
            .filter(it -> Boolean.TRUE.equals(it.getController()))
            .allMatch(
                it ->
                    it.getApiVersion().startsWith("apps/")
                        && it.getKind().equals("StatefulSet")
                        && it.getName().equals(set));
  }
}
