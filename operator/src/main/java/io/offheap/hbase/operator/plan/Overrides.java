package io.offheap.hbase.operator.plan;

import static java.util.Map.entry;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a person declared in {@code config} and {@code jvmOptions}. The derivation takes those that
 * repeat a derived value; what is left at the end is passed on as it is.
 */
final class Overrides {
  static final String CONFIG = "spec.regionServers.config";
  static final String JVM_OPTIONS = "spec.regionServers.jvmOptions";

  private static final String TUNER =
      "HBase's heap memory tuner would move the shares of the heap that IHOP is derived from";

  /** Properties that would take memory or connections past the plan, and what to do instead. */
  private static final Map<String, String> REFUSED_PROPERTIES =
      Map.ofEntries(
          entry("hbase.rootdir", "spec.storage decides it"),
          entry("hbase.cluster.distributed", "the operator runs distributed clusters only"),
          entry("hbase.zookeeper.quorum", "spec.zookeeper decides it"),
          entry("zookeeper.znode.parent", "spec.zookeeper.external.znodeParent decides it"),
          entry("hbase.tmp.dir", "only /tmp can be written to"),
          entry("hbase.unsafe.regionserver.hostname", "a pod keeps the name of its StatefulSet"),
          entry(
              "hbase.unsafe.regionserver.hostname.disable.master.reversedns",
              "a pod keeps the name of its StatefulSet"),
          entry("hbase.regionserver.port", "services and probes stand on 16020"),
          entry("hbase.regionserver.info.port", "services and probes stand on 16030"),
          entry(
              "hfile.block.cache.memory.size",
              "it overrides hfile.block.cache.size; use spec.regionServers.blockCache.l1Fraction"),
          entry(
              "hbase.regionserver.global.memstore.memory.size",
              "it overrides hbase.regionserver.global.memstore.size; use"
                  + " spec.regionServers.memstoreFraction"),
          entry(
              "hbase.regionserver.free.heap.min.memory.size",
              "it moves the limit that the heap shares are planned against"),
          entry("hbase.regionserver.global.memstore.size.min.range", TUNER),
          entry("hbase.regionserver.global.memstore.size.max.range", TUNER),
          entry("hfile.block.cache.size.min.range", TUNER),
          entry("hfile.block.cache.size.max.range", TUNER),
          entry("hbase.ipc.server.reservoir.enabled", deprecatedFor("pool.enabled")),
          entry("hbase.ipc.server.reservoir.initial.max", deprecatedFor("max.buffer.count")),
          entry("hbase.ipc.server.reservoir.initial.buffer.size", deprecatedFor("buffer.size")),
          entry(
              "hbase.server.allocator.pool.enabled",
              "without the pool every block is read into the heap"),
          entry(
              "dfs.client.hedged.read.threadpool.size",
              "hedged reads allocate each block on the heap, past the allocator's pool"));

  private static final Set<String> YOUNG_SIZE = Set.of("Xmn", "NewSize", "MaxNewSize", "NewRatio");

  /** Options that bring in others, which the plan could not check. */
  private static final Set<String> OPTION_FILES = Set.of("Flags", "VMOptionsFile");

  /** Which of Hadoop's jars a region server starts with; the image stops at other values. */
  private static final String HADOOP_JARS = "hbase.offheap.hadoop";

  /** Texts, as the resource's schema has it; no process takes an argument of 128 KiB. */
  private static final int LONGEST = 8192;

  /** What the plan or the operator decides by, and HBase would take for its default, unsaid. */
  private static final Set<String> SWITCHES =
      Set.of(
          "dfs.client.read.shortcircuit",
          "hbase.coprocessor.user.enabled",
          "hbase.offheap.observer.enabled");

  private final Map<String, String> config;
  private final Map<String, JvmOption> options = new LinkedHashMap<>();
  private final OptionalInt imageJava;

  Overrides(Declared declared, Draft draft) {
    imageJava = declared.imageJava();
    config = new TreeMap<>(declared.config());
    config.entrySet().removeIf(it -> isNoProperty(it.getKey(), it.getValue(), draft));
    // In the order of the properties, so that a refusal reads the same each time.
    config.entrySet().removeIf(it -> isRefused(it.getKey(), it.getValue(), draft));
    declared.jvmOptions().forEach(text -> add(text, draft));
  }

  private static boolean isRefused(String key, String value, Draft draft) {
    var why = REFUSED_PROPERTIES.get(key);
    if (why != null) {
      draft.problem(field(Target.HBASE_SITE, key), key + "=" + value + " is refused: " + why);
    }
    return why != null;
  }

  private static boolean isNoProperty(String key, String value, Draft draft) {
    if (key.isEmpty() || key.chars().anyMatch(Character::isWhitespace)) {
      draft.problem(CONFIG, "'" + key + "' is not a property; a name without spaces is right");
      return true;
    }
    if (value.isEmpty()) {
      draft.problem(
          field(Target.HBASE_SITE, key),
          "is empty, which Hadoop reads as not set; a value is right, or no such property");
      return true;
    }
    if (key.length() > LONGEST || value.length() > LONGEST) {
      draft.problem(
          field(Target.HBASE_SITE, key),
          Math.max(key.length(), value.length())
              + " characters are too many; at most "
              + LONGEST
              + " are right");
      return true;
    }
    if (!(key + value).codePoints().allMatch(Texts::isXml)) {
      draft.problem(
          field(Target.HBASE_SITE, key),
          "has a control character or half a surrogate pair; hbase-site.xml can hold printable"
              + " text, tabs and line ends");
      return true;
    }
    if (SWITCHES.contains(key) && Kind.BOOLEAN.read(value).isEmpty()) {
      draft.problem(
          field(Target.HBASE_SITE, key),
          key
              + "="
              + value
              + " is not true or false, and HBase would take its default; one of"
              + " them is right");
      return true;
    }
    return false;
  }

  private static String deprecatedFor(String key) {
    return "it is the old name of hbase.server.allocator." + key;
  }

  private void add(String text, Draft draft) {
    if (text.length() > LONGEST) {
      draft.problem(
          JVM_OPTIONS, text + " has too many characters; at most " + LONGEST + " are right");
      return;
    }
    var parsed = JvmOption.parse(text);
    if (parsed.isEmpty() || !text.codePoints().allMatch(Texts::isInWord)) {
      draft.problem(
          JVM_OPTIONS,
          "'" + text + "' is not a JVM option; one option an entry, for example -XX:Name=value");
      return;
    }
    var option = parsed.get();
    var name = option.name();
    if (isOtherCollector(option)) {
      draft.problem(JVM_OPTIONS, text + " is another collector; the plan is one for G1");
    } else if (JvmOption.isRemoved(name)) {
      draft.problem(
          JVM_OPTIONS, text + " stops a JDK 17, which does not know it; GC is logged by -Xlog");
    } else if (YOUNG_SIZE.contains(name)) {
      draft.problem(
          JVM_OPTIONS,
          text + " fixes the young generation, which G1 must size; set -XX:G1NewSizePercent");
    } else if (OPTION_FILES.contains(name)) {
      draft.problem(
          JVM_OPTIONS, text + " hides options from the plan; one option an entry is right");
    } else if (name.equals(HADOOP_JARS) && !option.value().matches("patched|published")) {
      draft.problem(field(Target.JVM, name), text + " must be patched or published");
    } else if (options.putIfAbsent(name, option) != null) {
      draft.problem(JVM_OPTIONS, name + " is declared twice; declare it once");
    }
  }

  private static boolean isOtherCollector(JvmOption option) {
    return option.name().matches("Use(Serial|Parallel|ConcMarkSweep|Shenandoah|Z|Epsilon)GC")
        && option.value().equals("true");
  }

  /** The declared value of a key that the plan also derives. */
  Optional<String> take(Target target, String key) {
    return target == Target.JVM
        ? Optional.ofNullable(options.remove(key)).map(JvmOption::value)
        : Optional.ofNullable(config.remove(key));
  }

  /** The declared value of a key, which stays to be taken. */
  Optional<String> declared(Target target, String key) {
    return target == Target.JVM
        ? Optional.ofNullable(options.get(key)).map(JvmOption::value)
        : Optional.ofNullable(config.get(key));
  }

  /** Path of a declared value, for messages. */
  static String field(Target target, String key) {
    return target == Target.JVM ? JVM_OPTIONS + "[" + key + "]" : CONFIG + "[" + key + "]";
  }

  /** Passes on what the derivation did not take, and refuses options that the JVM does not. */
  void passOn(Draft draft) {
    config.forEach((key, value) -> draft.add(declared(Target.HBASE_SITE, key, value, CONFIG)));
    // Before the options that they unlock, else the JVM does not know them.
    options.values().stream()
        .sorted(Comparator.comparing(option -> !option.name().startsWith("Unlock")))
        .forEach(option -> passOn(option, draft));
  }

  private void passOn(JvmOption option, Draft draft) {
    var refusal = JvmFlags.OF_THE_IMAGE.refusal(option, options);
    var text = JvmOption.text(option.name(), option.value());
    boolean sameJava =
        imageJava.orElse(JvmFlags.OF_THE_IMAGE.java()) == JvmFlags.OF_THE_IMAGE.java();
    if (refusal.isPresent() && sameJava) {
      draft.problem(field(Target.JVM, option.name()), text + " " + refusal.get());
    }
    draft.add(declared(Target.JVM, option.name(), option.value(), JVM_OPTIONS));
    if (refusal.isPresent() && !sameJava) {
      draft.remark(
          Target.JVM,
          option.name(),
          "; warning: "
              + refusal.get()
              + ", and the image's JDK "
              + imageJava.getAsInt()
              + " is not known here");
    }
  }

  private static Setting declared(Target target, String key, String value, String field) {
    return new Setting(target, key, value, "declared in " + field, Setting.USER);
  }
}
