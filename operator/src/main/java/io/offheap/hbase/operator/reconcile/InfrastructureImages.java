package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.deploy.ClusterModel.Image;
import io.offheap.hbase.operator.deploy.Role;
import java.util.Optional;

/**
 * The images of the managed ZooKeeper and HDFS. Without a declaration the pods keep the image that
 * they have, so a declaration that is removed is no downgrade; nor is a rollback of HBase, since a
 * name node does not start with the files of a later version.
 */
final class InfrastructureImages {
  private InfrastructureImages() {}

  /** The applied images, with those that the spec declares. */
  static Images declared(Images images, HBaseClusterSpec spec) {
    var ofHBase = Image.of(spec.image(), images.defaultImage());
    var zookeeper = Optional.ofNullable(spec.zookeeper().managed()).map(it -> it.image());
    var hdfs = Optional.ofNullable(spec.storage().managed()).map(it -> it.image());
    return new Images(
        images.defaultImage(),
        images.infrastructure(),
        zookeeper.map(ofHBase::with).orElse(images.zookeeper()),
        hdfs.map(ofHBase::with).orElse(images.hdfs()));
  }

  /** The image of a role of ZooKeeper or HDFS. */
  static String of(Images images, Role role) {
    var own = role == Role.ZOOKEEPER ? images.zookeeper() : images.hdfs();
    return own == null ? images.infrastructure() : own;
  }
}
