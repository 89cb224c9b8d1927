package io.offheap.hbase.operator.declare;

import java.util.Set;

/**
 * What pod templates may declare, by the operator's settings.
 *
 * @param permitted rights that all authors of resources have
 * @param repositories repositories of images that containers may have; any where empty
 */
public record PodRights(Set<PodRight> permitted, Set<String> repositories) {
  /** All rights, for a tool without the operator's settings. */
  public static final PodRights ALL = new PodRights(Set.of(PodRight.values()), Set.of());

  /** No right, the operator's default. */
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
