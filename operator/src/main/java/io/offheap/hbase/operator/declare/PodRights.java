package io.offheap.hbase.operator.declare;

import java.util.Set;

/**
 * What pod templates may declare, by the operator's settings.
 *
 * @param permitted rights of all authors of resources
 * @param repositories repositories of images that containers may have; any where empty
 */
public record PodRights(Set<PodRight> permitted, Set<String> repositories) {
  /** Of a tool that does not know the operator: what the operator forbids is not refused. */
  public static final PodRights ALL = new PodRights(Set.of(PodRight.values()), Set.of());

  /** The operator's own where nothing is set. */
  public static final PodRights NONE = new PodRights(Set.of(), Set.of());

  public PodRights {
    permitted = Set.copyOf(permitted);
    repositories = Set.copyOf(repositories);
  }

  boolean has(PodRight right) {
    return permitted.contains(right);
  }

  /** Whether a container may have an image. */
  boolean permitsImage(String image) {
    return repositories.isEmpty() || repositories.contains(repository(image));
  }

  /** An image's name without tag and digest. */
  public static String repository(String image) {
    var name = image.contains("@") ? image.substring(0, image.indexOf('@')) : image;
    int tag = name.lastIndexOf(':');
    return tag > name.lastIndexOf('/') ? name.substring(0, tag) : name;
  }
}
