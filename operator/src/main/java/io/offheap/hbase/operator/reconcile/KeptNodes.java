package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RememberedMap;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The servers of ZooKeeper and HDFS that an earlier resource of a cluster's name has left behind,
 * with their volumes. The API server compares a number of servers only with the one before in the
 * same resource, so a resource that was deleted and is made again could declare fewer data nodes,
 * and lose the blocks of the others, or another ensemble than the one that has the data.
 *
 * <p>Only a resource without a status is compared: what runs for a resource is never refused.
 */
final class KeptNodes {
  private final HBaseCluster cluster;
  private final Optional<Counts> remembered;
  private final KubernetesClient client;

  /**
   * How many a resource had, of those whose claims are not deleted with it; a config map has any.
   *
   * @param zookeeper servers of a managed ZooKeeper; null for none
   * @param dataNodes of a managed HDFS; null for none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Counts(Integer zookeeper, Integer dataNodes) {
    /** Those of a spec. */
    static Counts of(HBaseClusterSpec spec) {
      var ensemble = Optional.ofNullable(spec.zookeeper().managed());
      var hdfs = Optional.ofNullable(spec.storage().managed());
      var counts =
          new Counts(
              ensemble
                  .filter(it -> !it.storage().deleteClaim())
                  .map(ZooKeeperSpec.Managed::replicas)
                  .orElse(null),
              hdfs.filter(it -> !it.storage().deleteClaim())
                  .map(StorageSpec.Managed::dataNodes)
                  .orElse(null));
      return counts.zookeeper == null && counts.dataNodes == null ? null : counts;
    }
  }

  /**
   * For a resource without a status.
   *
   * @param remembered as the remembered map has them
   */
  KeptNodes(HBaseCluster cluster, Optional<Counts> remembered, KubernetesClient client) {
    this.cluster = cluster;
    this.remembered = remembered;
    this.client = client;
  }

  /** Why the resource is refused; empty if it has all that was left behind. */
  List<PlanProblem> problems() {
    var problems = new ArrayList<PlanProblem>();
    dataNodes(cluster.getSpec())
        .ifPresent(
            declared ->
                left(Role.DATANODE, Counts::dataNodes)
                    .filter(it -> it.count() > declared)
                    .map(
                        it ->
                            new PlanProblem(
                                "spec.storage.managed.dataNodes",
                                declared
                                    + " is fewer than the "
                                    + it.text()
                                    + ": the blocks of the others would be lost; must be at least "
                                    + it.count()
                                    + it.otherwise()))
                    .ifPresent(problems::add));
    zookeeper(cluster.getSpec())
        .ifPresent(
            declared ->
                left(Role.ZOOKEEPER, Counts::zookeeper)
                    .filter(it -> it.count() != declared)
                    .map(
                        it ->
                            new PlanProblem(
                                "spec.zookeeper.managed.replicas",
                                declared
                                    + " is not the "
                                    + it.text()
                                    + ": another ensemble would not have its data; must be "
                                    + it.count()
                                    + it.otherwise()))
                    .ifPresent(problems::add));
    return problems;
  }

  /** A number of servers, and the object that says so. */
  private record Left(int count, String kind, String name) {
    private String text() {
      return count + " of " + kind + " " + name + ", which an earlier HBaseCluster has left";
    }

    private String otherwise() {
      return "; if their volumes are no longer needed, delete that " + kind + " first";
    }
  }

  private Optional<Left> left(Role role, Function<Counts, Integer> count) {
    var ofSet =
        Optional.ofNullable(set(role))
            .filter(this::isLeftBehind)
            .map(
                it ->
                    new Left(
                        it.getSpec().getReplicas(), "StatefulSet", it.getMetadata().getName()));
    var ofMap =
        remembered.map(count).map(it -> new Left(it, "config map", RememberedMap.name(cluster)));
    return ofSet
        .filter(set -> ofMap.filter(map -> map.count() > set.count()).isEmpty())
        .or(() -> ofMap);
  }

  private StatefulSet set(Role role) {
    return client
        .apps()
        .statefulSets()
        .inNamespace(cluster.getMetadata().getNamespace())
        .withName(ClusterModel.name(cluster, role))
        .get();
  }

  /** One that another resource owns is deleted with it. */
  private boolean isLeftBehind(StatefulSet set) {
    return set.getMetadata().getOwnerReferences().isEmpty()
        && set.getMetadata().getDeletionTimestamp() == null
        && Labels.isOf(set, cluster);
  }

  private static Optional<Integer> dataNodes(HBaseClusterSpec spec) {
    return Optional.ofNullable(spec.storage().managed()).map(StorageSpec.Managed::dataNodes);
  }

  private static Optional<Integer> zookeeper(HBaseClusterSpec spec) {
    return Optional.ofNullable(spec.zookeeper().managed()).map(ZooKeeperSpec.Managed::replicas);
  }
}
