package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.AllocatorSpec;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.JvmOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The groups of region servers of a resource, each filled in. A field of a group has the first of
 * these values:
 *
 * <ol>
 *   <li>what the group declares itself;
 *   <li>what {@code spec.regionServers} declares, but for {@code replicas};
 *   <li>what the profile says, the group's own or else that of {@code spec.regionServers};
 *   <li>the default, or what the plan derives.
 * </ol>
 *
 * <p>{@code config} is filled in key by key, {@code jvmOptions} option by option, everything else
 * field by field, with two exceptions: {@code memory} is taken whole, since heap and off-heap on
 * the one hand and a limit on the other say the same in two ways; so is {@code blockCache} where
 * another mode is declared, since what sizes one mode is wrong in another.
 */
public final class ServerGroups {
  private static final RegionServersSpec DEFAULTS =
      new RegionServersSpec(
          3,
          null,
          null,
          4,
          null,
          RegionServersSpec.Disk.SSD,
          RegionServersSpec.Load.Normal,
          new BlockCacheSpec(BlockCacheSpec.Mode.OffHeap, null, null, null),
          new HFileSpec(null, null, null, null, null),
          new AllocatorSpec(null, null),
          30,
          null,
          null,
          Map.of(),
          List.of());

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

  /** What a resource declares for a group, with nothing filled in and without its size. */
  public static List<RegionServersSpec> asDeclared(HBaseClusterSpec spec, ServerGroup group) {
    return Stream.concat(
            Stream.of(spec.regionServers()),
            spec.regionServerGroups().stream()
                .filter(it -> it.name().equals(group.name()))
                .map(RegionServerGroupSpec::servers))
        .map(ServerGroups::withoutReplicas)
        .toList();
  }

  private static ServerGroup group(
      RegionServerGroupSpec group, RegionServersSpec base, OptionalInt java) {
    return filledIn(group.name(), over(group.servers(), withoutReplicas(base)), java);
  }

  private static ServerGroup filledIn(String name, RegionServersSpec declared, OptionalInt java) {
    var profile = declared.profile();
    return profile == null
        ? new ServerGroup(name, over(declared, DEFAULTS), Optional.empty(), java)
        : new ServerGroup(
            name,
            over(over(declared, Profiles.of(profile)), DEFAULTS),
            Optional.of(new ProfileMarks(profile, declared)),
            java);
  }

  private static RegionServersSpec withoutReplicas(RegionServersSpec spec) {
    return new RegionServersSpec(
        null,
        spec.profile(),
        spec.memory(),
        spec.cores(),
        spec.cpuRequest(),
        spec.disk(),
        spec.load(),
        spec.blockCache(),
        spec.hfile(),
        spec.allocator(),
        spec.handlers(),
        spec.memstoreFraction(),
        spec.survivorSize(),
        spec.config(),
        spec.jvmOptions());
  }

  private static RegionServersSpec over(RegionServersSpec own, RegionServersSpec base) {
    return new RegionServersSpec(
        first(own.replicas(), base.replicas()),
        first(own.profile(), base.profile()),
        first(own.memory(), base.memory()),
        first(own.cores(), base.cores()),
        cpuRequest(own, base),
        first(own.disk(), base.disk()),
        first(own.load(), base.load()),
        over(own.blockCache(), base.blockCache()),
        over(own.hfile(), base.hfile()),
        over(own.allocator(), base.allocator()),
        first(own.handlers(), base.handlers()),
        first(own.memstoreFraction(), base.memstoreFraction()),
        first(own.survivorSize(), base.survivorSize()),
        config(own.config(), base.config()),
        options(own.jvmOptions(), base.jvmOptions()));
  }

  private static <T> T first(T own, T base) {
    return own == null ? base : own;
  }

  /** One that was meant for other cores is not inherited with them. */
  private static Quantity cpuRequest(RegionServersSpec own, RegionServersSpec base) {
    return own.cores() == null ? first(own.cpuRequest(), base.cpuRequest()) : own.cpuRequest();
  }

  private static BlockCacheSpec over(BlockCacheSpec own, BlockCacheSpec base) {
    if (own == null || base == null) {
      return first(own, base);
    }
    if (own.mode() != null && base.mode() != null && own.mode() != base.mode()) {
      return own;
    }
    return new BlockCacheSpec(
        first(own.mode(), base.mode()),
        first(own.l1Fraction(), base.l1Fraction()),
        first(own.bucketCacheSize(), base.bucketCacheSize()),
        first(own.file(), base.file()));
  }

  private static HFileSpec over(HFileSpec own, HFileSpec base) {
    if (own == null || base == null) {
      return first(own, base);
    }
    return new HFileSpec(
        first(own.blockSize(), base.blockSize()),
        first(own.indexBlockSize(), base.indexBlockSize()),
        first(own.bloomBlockSize(), base.bloomBlockSize()),
        first(own.cellSize(), base.cellSize()),
        first(own.openFiles(), base.openFiles()));
  }

  private static AllocatorSpec over(AllocatorSpec own, AllocatorSpec base) {
    if (own == null || base == null) {
      return first(own, base);
    }
    return new AllocatorSpec(
        first(own.poolSize(), base.poolSize()),
        first(own.minimalAllocateSize(), base.minimalAllocateSize()));
  }

  private static Map<String, String> config(Map<String, String> own, Map<String, String> base) {
    if (own == null || base == null) {
      return first(own, base);
    }
    var merged = new TreeMap<>(base);
    merged.putAll(own);
    return merged;
  }

  /** What is declared twice in one list stays so, to be refused. */
  private static List<String> options(List<String> own, List<String> base) {
    if (own == null || base == null) {
      return first(own, base);
    }
    var names = own.stream().map(JvmOption::nameOf).collect(Collectors.toSet());
    var merged = new ArrayList<String>();
    base.stream().filter(option -> !names.contains(JvmOption.nameOf(option))).forEach(merged::add);
    merged.addAll(own);
    return merged;
  }
}
