package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks remembered images. An admission policy checks declared images, but not those in a config
 * map, nor what the operator writes to status. With a list, an image is permitted where that policy
 * permits it to other writers of a status without images.
 *
 * @param operators image of clusters that declare none
 * @param repositories the chart's {@code allowedImages}; empty without such a list
 */
record PermittedImages(String operators, Set<String> repositories) {
  private static final Pattern IMAGE =
      Pattern.compile(
          "(?<repository>([^/:@\\s]+(:[0-9]{1,5})?/)?[^:@\\s]+)"
              + "(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|@sha256:[a-f0-9]{64})");

  PermittedImages {
    repositories = Set.copyOf(repositories);
  }

  /**
   * Whether a resource could declare an image: of the operator's repository, with any version, or
   * of a listed repository. Without a list, only of the declared repository: a writer of config
   * maps may lack the right to declare another.
   *
   * @param spec the declared image
   * @param computed what the operator makes of the spec for the same pods, which is permitted where
   *     its repository is not listed, too: the list may be younger than the resource
   */
  boolean permit(String image, HBaseClusterSpec spec, List<String> computed) {
    var name = IMAGE.matcher(image);
    if (!name.matches()) {
      return false;
    }
    var repository = name.group("repository");
    if (repository.equals(repository(operators)) || computed.contains(image)) {
      return true;
    }
    return repositories.isEmpty()
        ? spec.image() != null && repository.equals(spec.image().repository())
        : repositories.contains(repository);
  }

  private static String repository(String image) {
    var name = IMAGE.matcher(image);
    return name.matches() ? name.group("repository") : image;
  }
}
