package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.deploy.ClusterModel;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Host names of a cluster's region servers; a host's first part is its pod. */
final class RegionServerHosts {
  private RegionServerHosts() {}

  /** All of them, the default group's first. */
  static Stream<String> of(HBaseCluster cluster) {
    return ServerGroups.of(cluster.getSpec()).stream()
        .flatMap(
            group ->
                IntStream.range(0, group.spec().replicas())
                    .mapToObj(ordinal -> ClusterModel.hostName(cluster, group, ordinal)));
  }
}
