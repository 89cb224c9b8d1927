package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.api.FormerNames;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Hashes of the fields that are declared for pods, without defaults. If the hash is the same, a
 * different template can only come from another version of the operator, which is no reason for a
 * restart. Values that running servers reload are not part of it.
 */
public final class DeclaredHash {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private static final String CONFIG = "config";

  /** Which image that is: the hash has its name. */
  private static final String IMAGE = "image";

  private DeclaredHash() {}

  /**
   * For a group of region servers.
   *
   * @param live the live tables that the group's plan is made for
   */
  public static String of(
      HBaseClusterSpec spec, ServerGroup group, String image, Optional<LiveStatus> live) {
    var parts =
        new ArrayList<Object>(
            Arrays.asList(
                image,
                withoutServers(spec.zookeeper()),
                withoutServers(spec.storage()),
                ServerGroups.asDeclared(spec, group).stream()
                    .map(DeclaredHash::withoutOnline)
                    .toList(),
                tables(live),
                live.map(LiveStatus::workingSet).orElse(null)));
    var tuned = tuned(live, group.name());
    // Without tuned values, the hash is that of operators before tuning existed.
    if (!tuned.isEmpty()) {
      parts.add(tuned);
    }
    addPages(parts, spec, Role.REGIONSERVER);
    return hash(parts.toArray());
  }

  /** A value that tuning chose, in the form that it had before the first release. */
  private record TunedValue(String group, String key, String value, String rule) {}

  private static List<TunedValue> tuned(Optional<LiveStatus> live, String group) {
    return live.map(LiveStatus::tuned).stream()
        .flatMap(List::stream)
        .filter(it -> it.group().equals(group))
        .flatMap(it -> it.values().stream())
        .map(it -> new TunedValue(group, it.key(), it.value(), it.rule()))
        .toList();
  }

  /** Sizes without names: another table with the same sizes needs no restart. */
  private static List<List<Long>> tables(Optional<LiveStatus> live) {
    var sizes =
        live.map(LiveStatus::tables).stream()
            .flatMap(List::stream)
            .map(
                it ->
                    List.of(
                        it.blockSize(), it.indexBlockSize(), it.bloomBlockSize(), it.cellSize()))
            .toList();
    return sizes.isEmpty() ? null : sizes;
  }

  /** For the masters. */
  static String ofMasters(HBaseClusterSpec spec, String image) {
    var parts =
        new ArrayList<Object>(
            Arrays.asList(
                image,
                withoutServers(spec.zookeeper()),
                withoutServers(spec.storage()),
                spec.masters().heap()));
    addPages(parts, spec, Role.MASTER);
    return hashWith(parts, ownFields(spec.masters(), List.of("replicas", "heap")));
  }

  /** For ZooKeeper and HDFS. */
  static String ofInfrastructure(HBaseClusterSpec spec, Role role, String image) {
    var parts =
        new ArrayList<Object>(
            Arrays.asList(image, withoutServers(spec.zookeeper()), withoutServers(spec.storage())));
    return hashWith(parts, ownFields(spec, role));
  }

  /** The fields of one role alone, which are newer than the hash. */
  private static Optional<JsonNode> ownFields(HBaseClusterSpec spec, Role role) {
    var hdfs = Optional.ofNullable(spec.storage().managed());
    return switch (role) {
      case ZOOKEEPER ->
          ownFields(spec.zookeeper().managed(), List.of("replicas", "storage", IMAGE));
      case NAMENODE -> hdfs.flatMap(it -> ownFields(it.nameNode(), List.of()));
      case DATANODE -> hdfs.flatMap(it -> ownFields(it.dataNode(), List.of()));
      case MASTER, REGIONSERVER -> throw new IllegalArgumentException(role + " has its own hash");
    };
  }

  private static Optional<JsonNode> ownFields(Object spec, List<String> others) {
    if (JSON.valueToTree(spec) instanceof ObjectNode tree) {
      tree.remove(others);
      return Optional.<JsonNode>of(tree).filter(it -> !it.isEmpty());
    }
    return Optional.empty();
  }

  /** Without pages, the hash is that of operators before the field existed. */
  private static void addPages(List<Object> parts, HBaseClusterSpec spec, Role role) {
    if (WebPages.isDeclared(spec, role)) {
      parts.add(WebPages.SUFFIX);
    }
  }

  /** Without these fields, the hash is that of operators before the fields existed. */
  private static String hashWith(List<Object> parts, Optional<?> more) {
    more.ifPresent(parts::add);
    return hash(parts.toArray());
  }

  /** Without the fields of the pods of ZooKeeper and HDFS, which do not concern other pods. */
  private static JsonNode withoutServers(ZooKeeperSpec spec) {
    var tree = without(spec, "heap", CONFIG, IMAGE, "podTemplate");
    FormerNames.restoreInZooKeeper(tree);
    return tree;
  }

  private static JsonNode withoutServers(StorageSpec spec) {
    var tree = without(spec, IMAGE, "nameNode", "dataNode");
    FormerNames.restoreInStorage(tree);
    return tree;
  }

  private static JsonNode without(Object spec, String... fieldsOfManaged) {
    JsonNode tree = JSON.valueToTree(spec);
    if (tree.get("managed") instanceof ObjectNode managed) {
      managed.remove(List.of(fieldsOfManaged));
    }
    return tree;
  }

  /** Without the values that running servers reload. */
  private static JsonNode withoutOnline(RegionServersSpec servers) {
    ObjectNode tree = JSON.valueToTree(servers);
    if (tree.get(CONFIG) instanceof ObjectNode config) {
      config
          .properties()
          .removeIf(
              it -> OnlineKeys.contains(Target.HBASE_SITE, it.getKey(), it.getValue().asText()));
    }
    // A declaration of such values alone must hash like none.
    if (tree.path(CONFIG).isEmpty()) {
      tree.remove(CONFIG);
    }
    FormerNames.restoreInServers(tree);
    return tree;
  }

  private static String hash(Object... parts) {
    return RoleModel.hashOfJson(Arrays.asList(parts));
  }
}
