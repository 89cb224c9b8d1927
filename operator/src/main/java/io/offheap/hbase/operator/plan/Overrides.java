package io.offheap.hbase.operator.plan;

import static java.util.Map.entry;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

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
          entry(HBaseKeys.ROOT_DIR.name(), "spec.storage decides it"),
          entry(HBaseKeys.DISTRIBUTED.name(), "the operator runs distributed clusters only"),
          entry(HBaseKeys.QUORUM.name(), "spec.zookeeper decides it"),
          entry(HBaseKeys.ZNODE.name(), "spec.zookeeper.external.znodeParent decides it"),
          entry(HBaseKeys.TMP_DIR.name(), "only /tmp can be written to"),
          entry(HBaseKeys.HOST_NAME.name(), "a pod keeps the name of its StatefulSet"),
          entry(HBaseKeys.NO_REVERSE_DNS.name(), "a pod keeps the name of its StatefulSet"),
          entry(HBaseKeys.PORT.name(), "services and probes stand on 16020"),
          entry(HBaseKeys.INFO_PORT.name(), "services and probes stand on 16030"),
          entry(
              HBaseKeys.CACHE_BYTES.name(),
              "it overrides hfile.block.cache.size; use spec.regionServers.blockCache.l1Fraction"),
          entry(
              HBaseKeys.MEMSTORE_BYTES.name(),
              "it overrides hbase.regionserver.global.memstore.size; use"
                  + " spec.regionServers.memstoreFraction"),
          entry(
              HBaseKeys.FREE_HEAP.name(),
              "it moves the limit that the heap shares are planned against"),
          entry(HBaseKeys.LEAST_MEMSTORE.name(), TUNER),
          entry(HBaseKeys.MOST_MEMSTORE.name(), TUNER),
          entry(HBaseKeys.LEAST_L1.name(), TUNER),
          entry(HBaseKeys.MOST_L1.name(), TUNER),
          entry(HBaseKeys.OLD_POOL_ENABLED.name(), deprecatedFor("pool.enabled")),
          entry(HBaseKeys.OLD_BUFFER_COUNT.name(), deprecatedFor("max.buffer.count")),
          entry(HBaseKeys.OLD_BUFFER_SIZE.name(), deprecatedFor("buffer.size")),
          entry(
              HBaseKeys.POOL_ENABLED.name(), "without the pool every block is read into the heap"),
          entry(
              HBaseKeys.HEDGED_READS.name(),
              "hedged reads allocate each block on the heap, past the allocator's pool"));

  private static final Set<String> YOUNG_SIZE = Set.of("Xmn", "NewSize", "MaxNewSize", "NewRatio");

  /** Options that bring in others, which the plan could not check. */
  private static final Set<String> OPTION_FILES = Set.of("Flags", "VMOptionsFile");

  /** Texts, as the resource's schema has it; no process takes an argument of 128 KiB. */
  private static final int LONGEST = 8192;

  /** What the plan or the operator decides by, and HBase would take for its default, unsaid. */
  private static final Set<String> SWITCHES =
      Set.of(
          HBaseKeys.SHORT_CIRCUIT.name(),
          HBaseKeys.USER_COPROCESSORS.name(),
          HBaseKeys.OBSERVER_ENABLED.name());

  private final Map<String, String> config;
  private final Map<String, JvmOption> options = new LinkedHashMap<>();
  private final OptionalInt imageJava;

  Overrides(Declared declared, Problems problems) {
    imageJava = declared.imageJava();
    config = new TreeMap<>(declared.config());
    config.entrySet().removeIf(it -> isNoProperty(it.getKey(), it.getValue(), problems));
    // In the order of the properties, so that a refusal reads the same each time.
    config.entrySet().removeIf(it -> isRefused(it.getKey(), it.getValue(), problems));
    declared.jvmOptions().forEach(text -> add(text, problems));
  }

  private static boolean isRefused(String key, String value, Problems problems) {
    var why = REFUSED_PROPERTIES.get(key);
    if (why != null) {
      problems.add(field(Target.HBASE_SITE, key), key + "=" + value + " is refused: " + why);
    }
    return why != null;
  }

  private static boolean isNoProperty(String key, String value, Problems problems) {
    if (key.isEmpty() || key.chars().anyMatch(Character::isWhitespace)) {
      problems.add(CONFIG, "'" + key + "' is not a property; a name without spaces is right");
      return true;
    }
    if (value.isEmpty()) {
      problems.add(
          field(Target.HBASE_SITE, key),
          "is empty, which Hadoop reads as not set; a value is right, or no such property");
      return true;
    }
    if (key.length() > LONGEST || value.length() > LONGEST) {
      problems.add(
          field(Target.HBASE_SITE, key),
          Math.max(key.length(), value.length())
              + " characters are too many; at most "
              + LONGEST
              + " are right");
      return true;
    }
    if (!(key + value).codePoints().allMatch(Texts::isXml)) {
      problems.add(
          field(Target.HBASE_SITE, key),
          "has a control character or half a surrogate pair; hbase-site.xml can hold printable"
              + " text, tabs and line ends");
      return true;
    }
    if (SWITCHES.contains(key) && Kind.BOOLEAN.read(value).isEmpty()) {
      problems.add(
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

  private void add(String text, Problems problems) {
    if (text.length() > LONGEST) {
      problems.add(
          JVM_OPTIONS, text + " has too many characters; at most " + LONGEST + " are right");
      return;
    }
    var parsed = JvmOption.parse(text);
    if (parsed.isEmpty() || !text.codePoints().allMatch(Texts::isInWord)) {
      problems.add(
          JVM_OPTIONS,
          "'" + text + "' is not a JVM option; one option an entry, for example -XX:Name=value");
      return;
    }
    var option = parsed.get();
    var name = option.name();
    if (isOtherCollector(option)) {
      problems.add(JVM_OPTIONS, text + " is another collector; the plan is one for G1");
    } else if (JvmOption.isRemoved(name)) {
      problems.add(
          JVM_OPTIONS, text + " stops a JDK 17, which does not know it; GC is logged by -Xlog");
    } else if (YOUNG_SIZE.contains(name)) {
      problems.add(
          JVM_OPTIONS,
          text + " fixes the young generation, which G1 must size; set -XX:G1NewSizePercent");
    } else if (OPTION_FILES.contains(name)) {
      problems.add(
          JVM_OPTIONS, text + " hides options from the plan; one option an entry is right");
    } else if (name.equals(JvmKeys.HADOOP_JARS.name())
        && !option.value().matches("patched|published")) {
      problems.add(field(Target.JVM, name), text + " must be patched or published");
    } else if (options.putIfAbsent(name, option) != null) {
      problems.add(JVM_OPTIONS, name + " is declared twice; declare it once");
    }
  }

  private static boolean isOtherCollector(JvmOption option) {
    return option.name().matches("Use(Serial|Parallel|ConcMarkSweep|Shenandoah|Z|Epsilon)GC")
        && option.value().equals("true");
  }

  /** The declared value of a key that the plan also derives. */
  Optional<String> take(Key<?> key) {
    return key.target() == Target.JVM
        ? Optional.ofNullable(options.remove(key.name())).map(JvmOption::value)
        : Optional.ofNullable(config.remove(key.name()));
  }

  /** The declared value of a key, which stays to be taken. */
  Optional<String> declared(Key<?> key) {
    return key.target() == Target.JVM
        ? Optional.ofNullable(options.get(key.name())).map(JvmOption::value)
        : Optional.ofNullable(config.get(key.name()));
  }

  /** Path of a declared value, for messages. */
  static String field(Key<?> key) {
    return field(key.target(), key.name());
  }

  private static String field(Target target, String key) {
    return target == Target.JVM ? JVM_OPTIONS + "[" + key + "]" : CONFIG + "[" + key + "]";
  }

  /**
   * What the derivation did not take, passed on; options that the JVM does not take are refused.
   */
  List<Setting> rest(Problems problems) {
    return Stream.concat(
            config.entrySet().stream()
                .map(it -> declared(Target.HBASE_SITE, it.getKey(), it.getValue(), CONFIG)),
            // Before the options that they unlock, else the JVM does not know them.
            options.values().stream()
                .sorted(Comparator.comparing(option -> !option.name().startsWith("Unlock")))
                .map(option -> passedOn(option, problems)))
        .toList();
  }

  private Setting passedOn(JvmOption option, Problems problems) {
    var setting = declared(Target.JVM, option.name(), option.value(), JVM_OPTIONS);
    var refusal = JvmFlags.OF_THE_IMAGE.refusal(option, options);
    if (refusal.isEmpty()) {
      return setting;
    }
    if (imageJava.orElse(JvmFlags.OF_THE_IMAGE.java()) == JvmFlags.OF_THE_IMAGE.java()) {
      var text = JvmOption.text(option.name(), option.value());
      problems.add(field(Target.JVM, option.name()), text + " " + refusal.get());
      return setting;
    }
    var warning =
        "; warning: "
            + refusal.get()
            + ", and the image's JDK "
            + imageJava.getAsInt()
            + " is not known here";
    return new Setting(
        setting.target(),
        setting.key(),
        setting.value(),
        setting.reason() + warning,
        setting.source());
  }

  private static Setting declared(Target target, String key, String value, String field) {
    return new Setting(target, key, value, "declared in " + field, Setting.USER);
  }
}
