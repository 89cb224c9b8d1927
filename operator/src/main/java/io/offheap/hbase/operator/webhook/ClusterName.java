package io.offheap.hbase.operator.webhook;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an HBaseCluster is called; both parts are Kubernetes names, so that any log may show them.
 */
public record ClusterName(String namespace, String name) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /** Fails for what no HBaseCluster can be called. */
  public ClusterName {
    if (!isName(namespace) || !isName(name)) {
      throw new IllegalArgumentException("no name of an HBaseCluster");
    }
  }

  /** The cluster of these names, each of which may be null or anything else. */
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
