package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.ClusterModel;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host names of a cluster's own masters and region servers: {@code pod.service.namespace.svc},
 * with any domain behind. A host that a server sends must match as a whole, because a tenant
 * controls what the servers send.
 */
final class OwnHosts {
  private static final Pattern NAME =
      Pattern.compile("(?<pod>(?<service>[^.]+)-[0-9]{1,9})\\.\\k<service>\\.(?<rest>.+)");

  private final ResourceID cluster;
  private final String domain;

  OwnHosts(ResourceID cluster) {
    this.cluster = cluster;
    this.domain = cluster.getNamespace().orElse("") + ".svc";
  }

  /**
   * The name to connect to, without the domain that a server added: another domain could have the
   * same names, with any address. Empty if the host is not one of the cluster's own.
   */
  Optional<String> canonical(String host) {
    var name = NAME.matcher(host);
    if (!name.matches()
        || !(name.group("rest") + ".").startsWith(domain + ".")
        || !ClusterModel.isServiceOfHBase(cluster.getName(), name.group("service"))) {
      return Optional.empty();
    }
    return Optional.of(name.group("pod") + "." + name.group("service") + "." + domain);
  }
}
