package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The region server groups of a resource, with inherited fields and defaults. A field of a group
 * has the first of these values:
 *
 * <ol>
 *   <li>what the group declares itself;
 *   <li>what {@code spec.regionServers} declares, but for {@code replicas};
 *   <li>the field of the profile, which is the group's or else that of {@code spec.regionServers};
 *   <li>the default, or what the plan derives.
 * </ol>
 *
 * <p>{@link Inheritance} merges them.
 */
public final class ServerGroups {
  private ServerGroups() {}

  /** The groups, the default one first. */
  public static List<ServerGroup> of(HBaseClusterSpec spec) {
    var base = spec.regionServers();
    var java = ImageJava.of(spec.image());
    return Stream.concat(
            Stream.of(filledIn(ServerGroup.DEFAULT, base, java)),
            spec.regionServerGroups().stream().map(group -> group(group, base, java)))
        .toList();
  }

  /**
   * The number of servers of each group, by its name, the default one first: the same as in {@link
   * #of}, without the merge of all other fields, for what is read every few seconds.
   */
  public static Map<String, Integer> replicas(HBaseClusterSpec spec) {
    var replicas = new LinkedHashMap<String, Integer>();
    replicas.put(ServerGroup.DEFAULT, replicas(spec.regionServers()));
    spec.regionServerGroups().forEach(it -> replicas.put(it.name(), replicas(it.servers())));
    return Collections.unmodifiableMap(replicas);
  }

  /** No profile has a number of servers. */
  private static int replicas(RegionServersSpec declared) {
    return Optional.ofNullable(declared.replicas())
        .orElseGet(() -> RegionServersSpec.ofDefaults().replicas());
  }

  /** The specs that a resource declares for a group, without defaults and {@code replicas}. */
  public static List<RegionServersSpec> asDeclared(HBaseClusterSpec spec, ServerGroup group) {
    return Stream.concat(
            Stream.of(spec.regionServers()),
            spec.regionServerGroups().stream()
                .filter(it -> it.name().equals(group.name()))
                .map(RegionServerGroupSpec::servers))
        .map(Inheritance::inherited)
        .toList();
  }

  private static ServerGroup group(
      RegionServerGroupSpec group, RegionServersSpec base, OptionalInt java) {
    return filledIn(
        group.name(), Inheritance.over(group.servers(), Inheritance.inherited(base)), java);
  }

  private static ServerGroup filledIn(String name, RegionServersSpec declared, OptionalInt java) {
    var profile = declared.profile();
    var chosen = profile == null ? declared : Inheritance.over(declared, Profiles.of(profile));
    return new ServerGroup(
        name,
        Inheritance.over(chosen, RegionServersSpec.ofDefaults()),
        Optional.ofNullable(profile).map(it -> new ProfileMarks(it, declared)),
        java);
  }
}
