package io.offheap.hbase.operator.cli;

import static java.util.Map.entry;

import io.offheap.hbase.operator.plan.FieldNames;
import io.offheap.hbase.operator.plan.FieldPath;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Target;
import java.util.Map;

/**
 * Names of a resource's fields in a configuration without a resource: properties, JVM options, and
 * options of the command line.
 */
final class ConfigurationNames implements FieldNames {
  private static final FieldNames OF_A_RESOURCE = FieldNames.below("spec.regionServers");

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          entry("memory.heap", "-" + JvmKeys.HEAP),
          entry("memory.offHeapMemstore", RunningConfigurationReader.OFF_HEAP_MEMSTORE),
          entry("memory.offHeap", "-XX:" + JvmKeys.DIRECT_MEMORY),
          entry("memory.limit", "--limit"),
          entry("memstoreFraction", HBaseKeys.MEMSTORE_SHARE.name()),
          entry("blockCache.l1Fraction", RunningConfigurationReader.L1_SIZE),
          entry("blockCache.bucketCacheSize", RunningConfigurationReader.CACHE_SIZE),
          entry("blockCache.mode", "the block cache's mode"),
          entry("blockCache.file.path", RunningConfigurationReader.ENGINE),
          entry("blockCache.file.persistent", RunningConfigurationReader.PERSISTENCE),
          entry("hfile.indexBlockSize", RunningConfigurationReader.INDEX_BLOCK),
          entry("hfile.bloomBlockSize", RunningConfigurationReader.BLOOM_BLOCK),
          entry("hfile.blockSize", "--block-size"),
          entry("hfile.cellSize", "--cell-size"),
          entry("hfile.openFiles", "--open-files"),
          entry("hfile", "--block-size and --cell-size"),
          entry("allocator.poolSize", HBaseKeys.BUFFER_COUNT.name()),
          entry("allocator.minimalAllocateSize", HBaseKeys.MINIMAL_ALLOCATION.name()),
          entry("g1.survivorSize", "the survivors' size"),
          entry("handlers", RunningConfigurationReader.HANDLERS),
          entry("resources.limits.cpu", "--cores"),
          entry("disk", "--disk"),
          entry("load", "--load"),
          entry("jvmOptions", "the JVM's options"),
          entry("config", ConfFolder.SITE));

  @Override
  public String of(FieldPath field) {
    if (field.entry().isEmpty()) {
      return NAMES.getOrDefault(field.path(), OF_A_RESOURCE.of(field));
    }
    var name = field.entry().get();
    return isOption(field) ? option(name) : name;
  }

  private static String option(String name) {
    if (name.startsWith("-")) {
      return name;
    }
    return (name.startsWith("X") ? "-" : name.contains(".") ? "-D" : "-XX:") + name;
  }

  private static boolean isOption(FieldPath field) {
    return field.path().equals(FieldPath.JVM_OPTIONS.path());
  }

  /** The target of a field's name. */
  static Target target(FieldPath field) {
    return isOption(field) || memoryOption(field) ? Target.JVM : Target.HBASE_SITE;
  }

  private static boolean memoryOption(FieldPath field) {
    return field.path().equals("memory.heap") || field.path().equals("memory.offHeap");
  }

  /** The key of a field's name, as in a plan: an option without its dash. */
  String key(FieldPath field) {
    return switch (field.path()) {
      case "memory.heap" -> JvmKeys.HEAP.name();
      case "memory.offHeap" -> JvmKeys.DIRECT_MEMORY.name();
      default -> field.entry().orElseGet(() -> of(field));
    };
  }
}
