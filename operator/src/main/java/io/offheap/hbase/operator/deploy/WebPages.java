package io.offheap.hbase.operator.deploy;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.render.Ports;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * HBase's own pages of one role, where they are declared.
 *
 * @param role masters or region servers
 * @param service name of the Service by which they are opened
 * @param port of the Service and of the pods
 * @param path of the first page
 */
public record WebPages(Role role, String service, int port, String path) {
  /** Last part of a Service's name; no group of region servers may be called so beside it. */
  static final String SUFFIX = "pages";

  /** What turns them on in a container of the image. */
  static final String VARIABLE = "WEB_PAGES";

  /** The declared ones, those of the masters first. */
  public static List<WebPages> of(HBaseCluster cluster) {
    var name = cluster.getMetadata().getName();
    return Stream.of(Role.MASTER, Role.REGIONSERVER)
        .filter(role -> isDeclared(cluster.getSpec(), role))
        .map(role -> of(name, role))
        .toList();
  }

  /** Those of one role; empty where they are not declared. */
  static Optional<WebPages> of(HBaseCluster cluster, Role role) {
    return of(cluster).stream().filter(it -> it.role() == role).findAny();
  }

  /** Whether a role's pods serve pages. */
  static boolean isDeclared(HBaseClusterSpec spec, Role role) {
    var declared = spec.servedPages();
    return switch (role) {
      case MASTER -> declared.masters();
      case REGIONSERVER -> declared.regionServers();
      case ZOOKEEPER, NAMENODE, DATANODE -> false;
    };
  }

  private static WebPages of(String cluster, Role role) {
    var service = cluster + "-" + role.text() + "-" + SUFFIX;
    return role == Role.MASTER
        ? new WebPages(role, service, Ports.MASTER_HTTP, "/master-status")
        : new WebPages(role, service, Ports.REGIONSERVER_HTTP, "/rs-status");
  }
}
