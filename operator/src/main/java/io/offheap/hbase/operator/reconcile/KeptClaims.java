package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The claims with data that exist of a cluster's name. The operator may get a claim, and may not
 * list claims, so that each ordinal is a request.
 */
final class KeptClaims {
  /** More data nodes than this cannot be declared. */
  private static final int MOST = 1000;

  /** Claims that are requested from each end: others may have written any remembered number. */
  private static final int EACH_END = 10;

  private final HBaseCluster cluster;
  private final KubernetesClient client;

  KeptClaims(HBaseCluster cluster, KubernetesClient client) {
    this.cluster = cluster;
    this.client = client;
  }

  /**
   * The highest ordinal of a claim, as far as some 40 requests show it: claims that are far from
   * both ends, and that others do not adjoin, are not found.
   *
   * @param from the lowest ordinal that counts
   * @param servers how many servers there were; without it, claims count up to the first that is
   *     missing
   * @return empty if there is none
   */
  Optional<Integer> highest(Role role, int from, Optional<Integer> servers) {
    int end = servers.orElse(MOST);
    int low = Math.min(end, from + (servers.isPresent() ? EACH_END : 1));
    return highest(role, Math.max(low, end - EACH_END), servers.orElse(0))
        .or(() -> highest(role, from, low).map(it -> last(role, it, end)));
  }

  private Optional<Integer> highest(Role role, int from, int end) {
    return IntStream.range(from, end)
        .boxed()
        .sorted(Comparator.reverseOrder())
        .filter(it -> has(role, it))
        .findFirst();
  }

  /** One that the next is missing of, in requests that grow with the logarithm of their number. */
  private int last(Role role, int from, int end) {
    int last = from;
    int step = 1;
    while (last + step < end && has(role, last + step)) {
      last += step;
      step *= 2;
    }
    for (step /= 2; step > 0; step /= 2) {
      if (last + step < end && has(role, last + step)) {
        last += step;
      }
    }
    return last;
  }

  /**
   * Not one of another's StatefulSet of that name, or that others have made for a server to come:
   * Kubernetes gives a claim the labels of the StatefulSet for whose pod it makes it. Nor one that
   * its StatefulSet owns, with which it is deleted. One without a volume has no data, unless its
   * volume will be a copy of another.
   */
  private boolean has(Role role, int ordinal) {
    var claim =
        client
            .persistentVolumeClaims()
            .inNamespace(cluster.getMetadata().getNamespace())
            .withName(ClusterModel.dataClaim(cluster, role, ordinal))
            .get();
    return claim != null
        && Labels.isOf(claim, cluster, role)
        && hasData(claim)
        && claim.getMetadata().getOwnerReferences().stream()
            .noneMatch(it -> it.getKind().equals(HasMetadata.getKind(StatefulSet.class)));
  }

  private static boolean hasData(PersistentVolumeClaim claim) {
    var spec = claim.getSpec();
    return spec != null
        && (spec.getVolumeName() != null
            || spec.getDataSource() != null
            || spec.getDataSourceRef() != null);
  }
}
