package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.InfrastructureImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Roles of the managed ZooKeeper and HDFS that restart for another image. A file does not say which
 * image their pods have, so an image that only the new resource declares counts as another one.
 */
final class InfrastructureRestarts {
  private InfrastructureRestarts() {}

  /** The roles' names in pods, in the order of their restarts. */
  static List<String> between(HBaseClusterSpec one, HBaseClusterSpec other) {
    var roles = new ArrayList<String>();
    if (isAnother(zookeeper(one), zookeeper(other))) {
      roles.add("zookeeper");
    }
    if (isAnother(hdfs(one), hdfs(other))) {
      roles.add("namenode");
      roles.add("datanode");
    }
    return roles;
  }

  /** A declaration that is removed restarts nothing: the pods keep their image. */
  private static boolean isAnother(Optional<String> one, Optional<String> other) {
    return other.isPresent() && !other.equals(one);
  }

  private static Optional<String> zookeeper(HBaseClusterSpec spec) {
    return Optional.ofNullable(spec.zookeeper().managed()).map(it -> name(spec, it.image()));
  }

  private static Optional<String> hdfs(HBaseClusterSpec spec) {
    return Optional.ofNullable(spec.storage().managed()).map(it -> name(spec, it.image()));
  }

  /** The repository is that of HBase. */
  private static String name(HBaseClusterSpec spec, InfrastructureImage image) {
    if (image == null) {
      return null;
    }
    var repository = spec.image() == null ? null : spec.image().repository();
    return repository + (image.digest() == null ? ":" + image.tag() : "@" + image.digest());
  }
}
