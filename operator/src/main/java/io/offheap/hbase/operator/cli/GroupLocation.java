package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.declare.ServerGroup;
import java.util.List;

/**
 * The place where a resource declares a region server group.
 *
 * @param path path of its fields, for assignments
 * @param declaresMemory whether memory is declared there, and not inherited
 * @param jvmOptions options that are declared there; inherited ones have no index
 * @param spec the group with inherited fields and defaults
 */
record GroupLocation(
    String path, boolean declaresMemory, List<String> jvmOptions, RegionServersSpec spec) {
  GroupLocation {
    jvmOptions = jvmOptions == null ? List.of() : List.copyOf(jvmOptions);
  }

  static GroupLocation of(HBaseClusterSpec cluster, ServerGroup group) {
    if (group.isDefault()) {
      var own = cluster.regionServers();
      return new GroupLocation(
          "spec.regionServers.", own.memory() != null, own.jvmOptions(), group.spec());
    }
    var groups = cluster.regionServerGroups();
    int index = groups.stream().map(RegionServerGroupSpec::name).toList().indexOf(group.name());
    var own = groups.get(index).servers();
    return new GroupLocation(
        "spec.regionServerGroups[" + index + "].",
        own.memory() != null,
        own.jvmOptions(),
        group.spec());
  }

  /** The path of a field. */
  String field(String name) {
    return path + name;
  }
}
