package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RememberedMap;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of ZooKeeper and HDFS that an earlier resource of a cluster's name has left behind,
 * with their volumes. The API server compares a number of servers only with the one before in the
 * same resource, so a resource that was deleted and is made again could declare fewer data nodes,
 * and lose the blocks of the others, or another ensemble than the one that has the data.
 *
 * <p>A server was left behind if its claim has a volume, or its StatefulSet exists. The remembered
 * number says how far to look for claims: by itself it shows no server, since a number that was
 * declared by mistake may have had no volume. Where there is none, as without the config map, the
 * claims show it.
 *
 * <p>Only a resource without a status is compared, and no role whose StatefulSet it owns: what runs
 * for a resource is never refused.
 */
final class KeptNodes {
  private static final Logger LOG = LoggerFactory.getLogger(KeptNodes.class);

  private static final int LARGEST_ENSEMBLE = 5;

  private final HBaseCluster cluster;
  private final Optional<Counts> remembered;
  private final KubernetesClient client;
  private final KeptClaims claims;

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
    claims = new KeptClaims(cluster, client);
  }

  /** Why the resource is refused; empty if it has all that was left behind. */
  List<PlanProblem> problems() {
    var spec = cluster.getSpec();
    var problems = new ArrayList<PlanProblem>();
    Optional.ofNullable(spec.storage().managed())
        .map(StorageSpec.Managed::dataNodes)
        .ifPresent(
            declared ->
                left(Role.DATANODE, declared, Counts::dataNodes, it -> dataNodes(declared, it))
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
                                    + "; if the volumes of the others are no longer needed, "
                                    + it.remedy()
                                    + " first"))
                    .ifPresent(problems::add));
    Optional.ofNullable(spec.zookeeper().managed())
        .map(ZooKeeperSpec.Managed::replicas)
        .ifPresent(
            declared ->
                left(Role.ZOOKEEPER, 0, Counts::zookeeper, this::ensemble)
                    .filter(it -> it.isExact() ? it.count() != declared : it.count() > declared)
                    .map(
                        it ->
                            new PlanProblem(
                                "spec.zookeeper.managed.replicas",
                                declared
                                    + (it.isExact() ? " is not the " : " is fewer than the ")
                                    + it.text()
                                    + ": another ensemble would not have its data; must be "
                                    + (it.isExact() ? "" : "at least ")
                                    + it.count()
                                    + "; if this data is no longer needed, "
                                    + it.remedy()
                                    + " first"))
                    .ifPresent(problems::add));
    return problems;
  }

  /**
   * A number of servers.
   *
   * @param isExact whether there were no more
   * @param object the objects that show it
   * @param remedy what to do where their data is no longer needed; of data nodes it spares the
   *     volumes of those that are declared
   */
  private record Left(int count, boolean isExact, String object, String remedy) {
    private String text() {
      return count + " of " + object + ", which an earlier HBaseCluster has left";
    }
  }

  /**
   * The larger of both numbers: that of a StatefulSet, and that of the claims.
   *
   * @param from the lowest ordinal whose volume is not used again
   */
  private Optional<Left> left(
      Role role,
      int from,
      Function<Counts, Integer> count,
      Function<Optional<Integer>, Optional<Left>> ofClaims) {
    var set = Optional.ofNullable(set(role));
    if (set.filter(this::isOwn).isPresent()) {
      return Optional.empty();
    }
    var known = remembered.map(count);
    var ofSet = set.filter(this::isLeftBehind).map(it -> left(it, role, from));
    // Without the remembered number, claims that are older than the StatefulSet would count.
    var claimed =
        ofSet.isPresent() && known.isEmpty()
            ? Optional.<Left>empty()
            : claims(role, from, known, ofClaims);
    return ofSet
        .filter(it -> claimed.filter(more -> more.count() > it.count()).isEmpty())
        .or(() -> claimed);
  }

  /** Deleting a StatefulSet may delete all its claims, also those of declared data nodes. */
  private Left left(StatefulSet set, Role role, int from) {
    int count = set.getSpec().getReplicas();
    return new Left(
        count,
        true,
        "StatefulSet " + set.getMetadata().getName(),
        (role == Role.ZOOKEEPER
                ? "delete that StatefulSet and "
                : "scale that StatefulSet to " + from + " and delete ")
            + claims(role, from, count - 1));
  }

  /** The names of claims. */
  private String claims(Role role, int from, int to) {
    var first = ClusterModel.dataClaim(cluster, role, from);
    return from >= to
        ? "the claim " + first
        : "the claims " + first + " to " + ClusterModel.dataClaim(cluster, role, to);
  }

  /** Where claims may not be read, the remembered number counts. */
  private Optional<Left> claims(
      Role role,
      int from,
      Optional<Integer> known,
      Function<Optional<Integer>, Optional<Left>> ofClaims) {
    try {
      return ofClaims.apply(known);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      var metadata = cluster.getMetadata();
      LOG.warn(
          "{}",
          LogLine.of("ClaimsNotReadable")
              .cluster(metadata.getNamespace(), metadata.getName())
              .with("cause", e.getMessage()));
      var map = RememberedMap.name(cluster);
      return known.map(
          it ->
              new Left(
                  it,
                  true,
                  "config map " + map,
                  "delete that config map and " + claims(role, from, it - 1)));
    }
  }

  /** The surplus ones: those below the declared number are used again. */
  private Optional<Left> dataNodes(int declared, Optional<Integer> known) {
    return claims
        .highest(Role.DATANODE, declared, known)
        .map(it -> left(Role.DATANODE, it + 1, true, declared, it));
  }

  /**
   * An ensemble is 1, 3 or 5 servers; it was left behind where any of its claims was. Without the
   * remembered number it may have been larger: claims may have been lost with their nodes' disks.
   */
  private Optional<Left> ensemble(Optional<Integer> known) {
    return claims
        .highest(Role.ZOOKEEPER, 0, Optional.of(LARGEST_ENSEMBLE))
        .map(it -> left(Role.ZOOKEEPER, known.orElse((it + 1) | 1), known.isPresent(), 0, it));
  }

  private Left left(Role role, int count, boolean isExact, int from, int highest) {
    return new Left(
        count,
        isExact,
        "claims up to " + ClusterModel.dataClaim(cluster, role, highest),
        "delete " + claims(role, from, highest));
  }

  private StatefulSet set(Role role) {
    return client
        .apps()
        .statefulSets()
        .inNamespace(cluster.getMetadata().getNamespace())
        .withName(ClusterModel.name(cluster, role))
        .get();
  }

  private boolean isOwn(StatefulSet set) {
    return set.getMetadata().getOwnerReferences().stream()
        .anyMatch(it -> it.getUid().equals(cluster.getMetadata().getUid()));
  }

  /**
   * One that another resource owns is deleted with it. One that was scaled to 0 shows no number:
   * its claims do.
   */
  private boolean isLeftBehind(StatefulSet set) {
    return set.getSpec().getReplicas() > 0
        && set.getMetadata().getOwnerReferences().isEmpty()
        && set.getMetadata().getDeletionTimestamp() == null
        && Labels.isOf(set, cluster);
  }
}
