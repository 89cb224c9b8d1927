package io.offheap.hbase.operator.rollout;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * HBase's state at one time.
 *
 * @param requestedAt when the view was requested: no part of it is older
 * @param serversAt when masters, servers, transitions and the balancer's state were requested; at
 *     rest these are requested more often than the other parts, so it is later than {@code
 *     requestedAt}
 * @param activeMaster server name of the active master
 * @param backupMasters server names of the backup masters
 * @param servers live region servers, draining ones included
 * @param crashed region servers whose regions are still being reassigned
 * @param inTransition encoded names of regions in transition
 * @param draining names of the servers that get no region, stopped servers included
 * @param isBalancerOn whether regions are moved to even out servers
 * @param isNormalizerOn whether regions are split and merged to even out sizes
 * @param regions the regions of the servers that were to be drained or filled, by server name, as
 *     these servers report; a server that did not respond is left out
 */
@RecordBuilder
public record HBaseView(
    Instant requestedAt,
    Instant serversAt,
    Optional<String> activeMaster,
    Set<String> backupMasters,
    List<Server> servers,
    Set<String> crashed,
    Set<String> inTransition,
    Set<String> draining,
    boolean isBalancerOn,
    boolean isNormalizerOn,
    Map<String, List<Region>> regions) {

  public HBaseView {
    backupMasters = Set.copyOf(backupMasters);
    servers = List.copyOf(servers);
    crashed = Set.copyOf(crashed);
    inTransition = Set.copyOf(inTransition);
    draining = Set.copyOf(draining);
    regions = Map.copyOf(regions);
  }

  /**
   * A live region server.
   *
   * @param name {@code host,port,startcode}
   * @param regions regions that it serves, as of its last report to the master
   */
  public record Server(String name, int regions) {
    /** The host's first part: in a StatefulSet, the pod's name. */
    public String pod() {
      return podOf(name);
    }
  }

  /**
   * A region on a server.
   *
   * @param encodedName the hash in its name
   * @param isMeta whether it belongs to {@code hbase:meta}
   * @param isSystem whether it belongs to HBase's own namespace, {@code hbase:meta} included
   */
  public record Region(String encodedName, boolean isMeta, boolean isSystem) {}

  /** A copy with another time of request, the same for all parts. */
  public HBaseView at(Instant time) {
    return HBaseViewBuilder.builder(this).requestedAt(time).serversAt(time).build();
  }

  /** The pod of a server name: its host's first part. */
  public static String podOf(String serverName) {
    int end = serverName.indexOf('.');
    int comma = serverName.indexOf(',');
    return serverName.substring(0, end < 0 || comma < end ? comma : end);
  }

  /** Milliseconds at which a server was started; the last part of its name. */
  public static long startCode(String serverName) {
    return Long.parseLong(serverName.substring(serverName.lastIndexOf(',') + 1));
  }

  /** The live server of this name. */
  public Optional<Server> server(String name) {
    return servers.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** The newest live server in a pod. */
  public Optional<Server> serverOf(String pod) {
    return ofPod(pod).reduce((one, other) -> newer(one, other));
  }

  /** Live servers that may get regions. */
  public Stream<Server> assignable() {
    return servers.stream().filter(it -> !draining.contains(it.name()));
  }

  private Stream<Server> ofPod(String pod) {
    return servers.stream().filter(it -> it.pod().equals(pod));
  }

  private static Server newer(Server one, Server other) {
    return startCode(one.name()) >= startCode(other.name()) ? one : other;
  }
}
