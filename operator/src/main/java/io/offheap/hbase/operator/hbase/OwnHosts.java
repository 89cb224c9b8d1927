package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.ClusterModel;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The addresses of a cluster's own masters and region servers: {@code pod.service.namespace.svc},
 * with any domain behind, and the port that the operator renders for the service. An address that a
 * server sends must match as a whole, because a tenant controls what the servers send: another port
 * of an own host can be any process of the pod, which would receive what the operator sends.
 */
final class OwnHosts {
  private static final Pattern NAME =
      Pattern.compile("(?<pod>(?<service>[^.]+)-[0-9]{1,9})\\.\\k<service>\\.(?<rest>.+)");

  private final ResourceID cluster;
  private final String domain;

  /**
   * A server of the cluster's.
   *
   * @param host the name to connect to, without the domain that a server put behind it: some other
   *     domain could have the same names, with any address
   * @param port the one port that it listens on for RPC
   */
  record Address(String host, int port) {}

  OwnHosts(ResourceID cluster) {
    this.cluster = cluster;
    this.domain = cluster.getNamespace().orElse("") + ".svc";
  }

  /**
   * The address to connect to, without the domain that a server added: another domain could have
   * the same names, with any address. Empty if the host is not one of the cluster's own.
   */
  Optional<Address> of(String host) {
    var name = NAME.matcher(host);
    if (!name.matches() || !(name.group("rest") + ".").startsWith(domain + ".")) {
      return Optional.empty();
    }
    var service = name.group("service");
    var port = ClusterModel.rpcPort(cluster.getName(), service);
    return port.isPresent()
        ? Optional.of(
            new Address(name.group("pod") + "." + service + "." + domain, port.getAsInt()))
        : Optional.empty();
  }
}
