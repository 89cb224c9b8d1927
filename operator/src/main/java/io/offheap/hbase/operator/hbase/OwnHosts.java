package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.ClusterModel;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host names of a cluster's own masters and region servers: {@code pod.service.namespace.svc},
 * whatever domain follows. What a cluster's servers name is compared whole with them, for a tenant
 * chooses what they name.
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
   * The name to connect to, without the domain that a server put behind it: some other domain could
   * have the same names, with any address. Empty where the host is not one of the cluster's own.
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
