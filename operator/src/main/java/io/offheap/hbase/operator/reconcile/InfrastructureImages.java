package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.deploy.ClusterModel.Image;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.ObservedImages;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The images of the managed ZooKeeper and of the managed HDFS in one pass.
 *
 * <ol>
 *   <li>Keep. Status has the image that each keeps: at first that of HBase, then the last declared
 *       one that has served. For ZooKeeper any pod must serve with it, for HDFS the name node. So a
 *       declaration that is removed is no downgrade, after which a name node may not start; and if
 *       nothing has served with its image, the former one comes back.
 *   <li>Declare. A declared tag or digest is of the repository of HBase. While the resource is
 *       refused, that of the applied spec counts only if the resource declares the same or a
 *       StatefulSet has it already: any writer of status may have written that spec, and the policy
 *       on images cannot parse its text; but a refused resource must not take an image back from a
 *       name node that starts with it.
 *   <li>Wait. HBase's canary must test a repository before ZooKeeper and HDFS get it: a declared
 *       image counts only if its repository is that of the image that is kept, or that of HBase's
 *       last good spec.
 *   <li>Do not wait for HBase if HBase waits for a pod that cannot start with the image that is
 *       kept. Then the declared image counts until all pods serve, and also later if one of them
 *       serves with it. While a change of HBase is rolled back, it counts only for pods that have
 *       it already and can start: a rollback takes no image back that a pod serves with. The pods
 *       that serve with another one keep theirs ({@link #isUntested}).
 *   <li>Otherwise the pods get the image that is kept.
 * </ol>
 *
 * <p>The StatefulSets have these images in each pass. Status has only those that are kept, so that
 * it is not written while a declared image waits or does not serve.
 *
 * @param zookeeper image of ZooKeeper
 * @param hdfs image of the name node and the data nodes
 */
record InfrastructureImages(String zookeeper, String hdfs) {
  /** Pods that have the same image. */
  private enum Part {
    ZOOKEEPER,
    HDFS;

    /** In the order of their start. */
    private List<Role> roles() {
      return this == ZOOKEEPER ? List.of(Role.ZOOKEEPER) : List.of(Role.NAMENODE, Role.DATANODE);
    }

    private String kept(Images images) {
      var own = this == ZOOKEEPER ? images.zookeeper() : images.hdfs();
      return own == null ? images.infrastructure() : own;
    }

    /** Null-safe: any writer of status may have written the spec. */
    private Optional<String> declared(HBaseClusterSpec spec, Images images) {
      var image =
          this == ZOOKEEPER
              ? Optional.ofNullable(spec.zookeeper())
                  .map(ZooKeeperSpec::managed)
                  .map(ZooKeeperSpec.Managed::image)
              : Optional.ofNullable(spec.storage())
                  .map(StorageSpec::managed)
                  .map(StorageSpec.Managed::image);
      return image.map(Image.of(spec.image(), images.defaultImage())::with);
    }

    /** A data node may be made anew at any time, so it is no evidence about the name node. */
    private boolean hasServed(String image, ObservedImages observed) {
      return observed.doesServe(roles().get(0), image);
    }

    private boolean has(String image, ObservedImages observed) {
      return roles().stream().anyMatch(it -> observed.isOfTemplate(it, image));
    }

    /** A data node that serves is of no use where the name node cannot start. */
    private boolean mayServe(String declared, ObservedImages observed) {
      return !observed.cannotStart(roles().get(0), declared)
          && roles().stream().anyMatch(it -> observed.mayServe(it, declared));
    }

    private boolean cannotKeep(String declared, ObservedImages observed) {
      boolean isBeingMade =
          roles().stream()
              .anyMatch(it -> observed.isOfTemplate(it, declared) && !observed.doAllServe(it));
      return isBeingMade
          || roles().stream()
              .anyMatch(it -> observed.cannotStart(it) || observed.doesServe(it, declared));
    }
  }

  /**
   * The images to keep from now on.
   *
   * @param before the images that were kept
   * @param cluster the resource with the spec to apply, and with the status of the last pass: its
   *     spec may have declared the image that serves now
   */
  static Images kept(Images before, HBaseCluster cluster, ObservedImages observed) {
    return new Images(
        before.defaultImage(),
        before.infrastructure(),
        served(Part.ZOOKEEPER, before, cluster, observed).orElse(before.zookeeper()),
        served(Part.HDFS, before, cluster, observed).orElse(before.hdfs()));
  }

  private static Optional<String> served(
      Part part, Images before, HBaseCluster cluster, ObservedImages observed) {
    var lastApplied = Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::appliedSpec);
    return Stream.concat(Stream.of(cluster.getSpec()), lastApplied.stream())
        .flatMap(spec -> part.declared(spec, before).stream())
        .filter(image -> !image.equals(part.kept(before)))
        .filter(image -> part.hasServed(image, observed))
        .findFirst();
  }

  /**
   * The images to deploy.
   *
   * @param kept the images to keep
   * @param cluster the resource with the spec to apply
   * @param declared the spec of the resource; another one if it is refused
   * @param isRolledBack whether a change of HBase is rolled back
   */
  static InfrastructureImages of(
      Images kept,
      HBaseCluster cluster,
      HBaseClusterSpec declared,
      boolean isRolledBack,
      ObservedImages observed) {
    return new InfrastructureImages(
        of(Part.ZOOKEEPER, kept, cluster, declared, isRolledBack, observed),
        of(Part.HDFS, kept, cluster, declared, isRolledBack, observed));
  }

  private static String of(
      Part part,
      Images images,
      HBaseCluster cluster,
      HBaseClusterSpec declared,
      boolean isRolledBack,
      ObservedImages observed) {
    var kept = part.kept(images);
    var image = part.declared(cluster.getSpec(), images);
    return image
        .filter(it -> image.equals(part.declared(declared, images)) || part.has(it, observed))
        .filter(
            it ->
                isKnown(it, kept, ofLastGood(cluster, images))
                    || (isRolledBack ? part.mayServe(it, observed) : part.cannotKeep(it, observed)))
        .orElse(kept);
  }

  /**
   * Whether HBase has not served with the repository of a role's image, so that the image is only
   * for pods that do not serve.
   *
   * @param kept the images that are kept
   * @param cluster the resource
   */
  boolean isUntested(Role role, Images kept, HBaseCluster cluster) {
    var part = role == Role.ZOOKEEPER ? Part.ZOOKEEPER : Part.HDFS;
    return !isKnown(of(role), part.kept(kept), ofLastGood(cluster, kept));
  }

  private static boolean isKnown(String image, String kept, Optional<String> ofLastGood) {
    return Stream.concat(Stream.of(kept), ofLastGood.stream())
        .anyMatch(it -> repository(it).equals(repository(image)));
  }

  private static Optional<String> ofLastGood(HBaseCluster cluster, Images images) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::good)
        .map(LastGood::spec)
        .map(it -> Image.of(it.image(), images.defaultImage()).name());
  }

  private static String repository(String image) {
    return new Image(image, Optional.empty(), List.of()).repository();
  }

  /** The image of a role of ZooKeeper or HDFS. */
  String of(Role role) {
    return role == Role.ZOOKEEPER ? zookeeper : hdfs;
  }
}
