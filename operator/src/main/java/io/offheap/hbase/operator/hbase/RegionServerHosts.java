package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.render.Ports;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Host names of a cluster's region servers; a host's first label is its pod. */
final class RegionServerHosts {
  /** Number of bootstrap servers; the client reads the others from them. */
  private static final int BOOTSTRAP_SERVERS = 5;

  /** Servers that do not serve yet and are requested in a round. */
  static final int STARTING = 64;

  private RegionServerHosts() {}

  /** All hosts, the default group's first. */
  static Stream<String> of(HBaseCluster cluster) {
    return ServerGroups.replicas(cluster.getSpec()).entrySet().stream()
        .flatMap(
            group ->
                IntStream.range(0, group.getValue())
                    .mapToObj(it -> ClusterModel.hostName(cluster, group.getKey(), it)));
  }

  /**
   * Hosts whose metrics are requested: of pods that exist, as of the last reconciliation. A name
   * without a pod is looked up in vain each time, and of pods that do not serve yet there may be
   * thousands, without a node: of these only the first are requested.
   */
  static List<String> requested(HBaseCluster cluster) {
    var serving = pods(cluster).filter(it -> it.state() != RegionServer.State.Starting);
    var starting =
        pods(cluster).filter(it -> it.state() == RegionServer.State.Starting).limit(STARTING);
    var pods = Stream.concat(serving, starting).map(RegionServer::pod).collect(Collectors.toSet());
    return of(cluster).filter(host -> pods.contains(podOf(host))).toList();
  }

  /** The pod of a host. */
  static String podOf(String host) {
    return host.substring(0, host.indexOf('.'));
  }

  /** {@code host:port} of the bootstrap servers. */
  static List<String> bootstrapServers(HBaseCluster cluster) {
    return of(cluster)
        .limit(BOOTSTRAP_SERVERS)
        .map(host -> host + ":" + Ports.REGIONSERVER_RPC)
        .toList();
  }

  /**
   * Whether a spec is applied, no rollout is under way, and each region server in status serves. A
   * refused spec without an applied one may have to restore what a rollout had taken.
   */
  static boolean areAtRest(HBaseCluster cluster) {
    return cluster.getStatus() != null
        && cluster.getStatus().appliedSpec() != null
        && cluster.getStatus().rollout() == null
        && states(cluster).allMatch(it -> it == RegionServer.State.Serving);
  }

  /**
   * Connections to the servers are kept only at rest: while a pod is replaced, its host is looked
   * up for each request.
   */
  static LimitedHttp.Reuse reuse(HBaseCluster cluster) {
    return areAtRest(cluster) ? LimitedHttp.Reuse.PERMITTED : LimitedHttp.Reuse.NONE;
  }

  /** Whether any region server served at the last reconciliation. */
  static boolean areServing(HBaseCluster cluster) {
    return states(cluster)
        .anyMatch(
            it ->
                switch (it) {
                  case Serving, Outdated, Draining, Stopping -> true;
                  case Starting -> false;
                });
  }

  /** States as of the last reconciliation. */
  private static Stream<RegionServer.State> states(HBaseCluster cluster) {
    return pods(cluster).map(RegionServer::state);
  }

  private static Stream<RegionServer> pods(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::regionServers).stream()
        .flatMap(List::stream);
  }
}
