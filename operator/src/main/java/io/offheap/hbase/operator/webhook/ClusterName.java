package io.offheap.hbase.operator.webhook;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Namespace and name of an HBaseCluster; both are Kubernetes names, so that they are safe in logs.
 */
public record ClusterName(String namespace, String name) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /** Fails if this is no valid name of an HBaseCluster. */
  public ClusterName {
    if (!isName(namespace) || !isName(name)) {
      throw new IllegalArgumentException("no name of an HBaseCluster");
    }
  }

  /** The cluster with these names; empty if one is null or invalid. */
  static Optional<ClusterName> of(String namespace, String name) {
    return isName(namespace) && isName(name)
        ? Optional.of(new ClusterName(namespace, name))
        : Optional.empty();
  }

  private static boolean isName(String text) {
    return text != null && LABEL.matcher(text).matches();
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
