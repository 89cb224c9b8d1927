package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.HBaseKeys;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The planner's texts with the names that fields have in the files of a configuration. */
final class ConfigurationWording {
  private static final String SPEC = "spec.regionServers.";
  private static final Pattern CONFIG = Pattern.compile("spec\\.regionServers\\.config\\[([^]]+)]");
  private static final Pattern OPTION =
      Pattern.compile("spec\\.regionServers\\.jvmOptions\\[([^]]+)]");

  /** Fields and what they are in a configuration; a field that begins with another comes first. */
  private static final String[][] FIELDS = {
    {"memory.heap", "-Xmx"},
    {"memory.offHeapMemstore", RunningConfigurationReader.OFF_HEAP_MEMSTORE},
    {"memory.offHeap", "-XX:MaxDirectMemorySize"},
    {"memory.limit", "--limit"},
    {"memstoreFraction", HBaseKeys.MEMSTORE_SHARE.name()},
    {"blockCache.l1Fraction", RunningConfigurationReader.L1_SIZE},
    {"blockCache.bucketCacheSize", RunningConfigurationReader.CACHE_SIZE},
    {"blockCache.mode", "the block cache's mode"},
    {"blockCache.file.path", RunningConfigurationReader.ENGINE},
    {"blockCache.file.persistent", RunningConfigurationReader.PERSISTENCE},
    {"hfile.indexBlockSize", RunningConfigurationReader.INDEX_BLOCK},
    {"hfile.bloomBlockSize", RunningConfigurationReader.BLOOM_BLOCK},
    {"hfile.blockSize", "--block-size"},
    {"hfile.cellSize", "--cell-size"},
    {"hfile.openFiles", "--open-files"},
    {"hfile", "--block-size and --cell-size"},
    {"allocator.poolSize", HBaseKeys.BUFFER_COUNT.name()},
    {"allocator.minimalAllocateSize", HBaseKeys.MINIMAL_ALLOCATION.name()},
    {"g1.survivorSize", "the survivors' size"},
    {"handlers", RunningConfigurationReader.HANDLERS},
    {"resources.limits.cpu", "--cores"},
    {"disk", "--disk"},
    {"load", "--load"},
    {"jvmOptions", "the JVM's options"},
    {"config", ConfFolder.SITE},
  };

  private ConfigurationWording() {}

  static String of(String text) {
    var own = CONFIG.matcher(text).replaceAll(it -> Matcher.quoteReplacement(it.group(1)));
    own = OPTION.matcher(own).replaceAll(it -> Matcher.quoteReplacement(option(it.group(1))));
    for (String[] field : FIELDS) {
      own = own.replace(SPEC + field[0], field[1]);
    }
    return own;
  }

  private static String option(String name) {
    if (name.startsWith("-")) {
      return name;
    }
    return (name.startsWith("X") ? "-" : name.contains(".") ? "-D" : "-XX:") + name;
  }

  /** The property or JVM option that a field stands for, as a plan names it. */
  static String key(String field) {
    var own = of(field);
    return own.replaceFirst("^-(?:XX:|D|(?=X))", "");
  }
}
