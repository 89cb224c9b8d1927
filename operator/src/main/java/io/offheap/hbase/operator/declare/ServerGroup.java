package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.FieldNames;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A region server group with inherited fields and defaults.
 *
 * @param name its name, empty for the default group
 * @param spec its specification; only what is derived may be left out
 * @param marks marks the values of its profile, where it has one
 * @param imageJava major version of Java in the cluster's image, where an image is declared and its
 *     name contains it
 */
public record ServerGroup(
    String name, RegionServersSpec spec, Optional<ProfileMarks> marks, OptionalInt imageJava) {
  /** The group that the scale subresource sets. */
  public static final String DEFAULT = "";

  private static final String DEFAULT_PATH = "spec.regionServers";

  /** Whether it is the default group. */
  public boolean isDefault() {
    return name.equals(DEFAULT);
  }

  /** Path of its fields in the resource. */
  public String path() {
    return isDefault() ? DEFAULT_PATH : "spec.regionServerGroups[" + name + "]";
  }

  /** The paths of its fields in the resource. */
  FieldNames names() {
    return FieldNames.below(path());
  }
}
