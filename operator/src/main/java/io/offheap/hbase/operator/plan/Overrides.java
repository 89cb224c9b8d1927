package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Sentence.name;
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
 * The declared {@code config} and {@code jvmOptions}. The derivation takes the values of keys that
 * it derives; the rest is passed on unchanged.
 */
final class Overrides {
  private static final String TUNER =
      "HBase's heap memory tuner would move the shares of the heap that IHOP is derived from";

  /** Properties that would bypass the plan's memory or connections, with the reasons. */
  private static final Map<String, Sentence> REFUSED_PROPERTIES =
      Map.ofEntries(
          entry(HBaseKeys.ROOT_DIR.name(), Sentence.of("spec.storage decides it")),
          entry(
              HBaseKeys.DISTRIBUTED.name(),
              Sentence.of("the operator runs distributed clusters only")),
          entry(HBaseKeys.QUORUM.name(), Sentence.of("spec.zookeeper decides it")),
          entry(
              HBaseKeys.ZNODE.name(),
              Sentence.of("spec.zookeeper.external.znodeParent decides it")),
          entry(HBaseKeys.TMP_DIR.name(), Sentence.of("only /tmp can be written to")),
          entry(HBaseKeys.HOST_NAME.name(), Sentence.of("a pod keeps the name of its StatefulSet")),
          entry(
              HBaseKeys.NO_REVERSE_DNS.name(),
              Sentence.of("a pod keeps the name of its StatefulSet")),
          entry(HBaseKeys.PORT.name(), Sentence.of("services and probes depend on 16020")),
          entry(HBaseKeys.INFO_PORT.name(), Sentence.of("services and probes depend on 16030")),
          entry(
              HBaseKeys.CACHE_BYTES.name(),
              Sentence.of(
                  "it overrides " + HBaseKeys.L1_SHARE + "; use {}",
                  name(FieldPath.of("blockCache.l1Fraction")))),
          entry(
              HBaseKeys.MEMSTORE_BYTES.name(),
              Sentence.of(
                  "it overrides " + HBaseKeys.MEMSTORE_SHARE + "; use {}",
                  name(FieldPath.of("memstoreFraction")))),
          entry(
              HBaseKeys.FREE_HEAP.name(),
              Sentence.of("it moves the limit that the heap shares are planned against")),
          entry(HBaseKeys.LEAST_MEMSTORE.name(), Sentence.of(TUNER)),
          entry(HBaseKeys.MOST_MEMSTORE.name(), Sentence.of(TUNER)),
          entry(HBaseKeys.LEAST_L1.name(), Sentence.of(TUNER)),
          entry(HBaseKeys.MOST_L1.name(), Sentence.of(TUNER)),
          entry(
              HBaseKeys.OLD_POOL_ENABLED.name(),
              Sentence.of(deprecatedFor(HBaseKeys.POOL_ENABLED))),
          entry(
              HBaseKeys.OLD_BUFFER_COUNT.name(),
              Sentence.of(deprecatedFor(HBaseKeys.BUFFER_COUNT))),
          entry(
              HBaseKeys.OLD_BUFFER_SIZE.name(), Sentence.of(deprecatedFor(HBaseKeys.BUFFER_SIZE))),
          entry(
              HBaseKeys.POOL_ENABLED.name(),
              Sentence.of("without the pool every block is read into the heap")),
          entry(
              HBaseKeys.HEDGED_READS.name(),
              Sentence.of(
                  "hedged reads allocate each block on the heap, not from the allocator's pool")));

  private static final Set<String> YOUNG_SIZE = Set.of("Xmn", "NewSize", "MaxNewSize", "NewRatio");

  /** Options that include other options, which the plan cannot check. */
  private static final Set<String> OPTION_FILES = Set.of("Flags", "VMOptionsFile");

  /**
   * Switches that the plan or the operator depends on; for an invalid text HBase silently uses the
   * default.
   */
  private static final Set<String> SWITCHES =
      Set.of(
          HBaseKeys.SHORT_CIRCUIT.name(),
          HBaseKeys.RAM_BUFFER.name(),
          HBaseKeys.USER_COPROCESSORS.name(),
          HBaseKeys.OBSERVER_ENABLED.name());

  private final FieldNames names;
  private final Map<String, String> config;
  private final Map<String, JvmOption> options = new LinkedHashMap<>();
  private final OptionalInt imageJava;

  Overrides(Declared declared, Problems problems) {
    names = declared.names();
    imageJava = declared.imageJava();
    config = new TreeMap<>(declared.config());
    config.entrySet().removeIf(it -> isNoProperty(it.getKey(), it.getValue(), problems));
    // In the order of the properties, so that messages have a stable order.
    config.entrySet().removeIf(it -> isRefused(it.getKey(), it.getValue(), problems));
    declared.jvmOptions().forEach(text -> add(text, problems));
  }

  private static boolean isRefused(String key, String value, Problems problems) {
    var why = REFUSED_PROPERTIES.get(key);
    if (why != null) {
      problems.add(
          property(key), Sentence.of("{} is refused: {}", Sentence.of(key + "=" + value), why));
    }
    return why != null;
  }

  private static boolean isNoProperty(String key, String value, Problems problems) {
    var problem = PropertyTexts.problem(key, value);
    if (problem.isPresent()) {
      problems.add(
          PropertyTexts.isName(key) ? property(key) : FieldPath.CONFIG, Sentence.of(problem.get()));
      return true;
    }
    if (SWITCHES.contains(key) && Kind.BOOLEAN.read(value).isEmpty()) {
      problems.add(
          property(key),
          Sentence.of(key + "=" + value + " must be true or false, else HBase takes its default"));
      return true;
    }
    return false;
  }

  private static String deprecatedFor(Key<?> key) {
    return "it is the old name of " + key;
  }

  private void add(String text, Problems problems) {
    if (text.length() > PropertyTexts.LONGEST) {
      refuse(text, "has too many characters; must be at most " + PropertyTexts.LONGEST, problems);
      return;
    }
    var parsed = JvmOption.parse(text);
    if (parsed.isEmpty() || !text.codePoints().allMatch(Texts::isInWord)) {
      problems.addNoOption(
          FieldPath.JVM_OPTIONS,
          text,
          Sentence.of(
              "'"
                  + text
                  + "' is not a JVM option; one option an entry, for example -XX:Name=value"));
      return;
    }
    var option = parsed.get();
    var name = option.name();
    if (isOtherCollector(option)) {
      refuse(text, "is another collector; must be left out: the plan is one for G1", problems);
    } else if (JvmOption.isRemoved(name)) {
      refuse(
          text,
          "stops a JDK 17, which has no such option; must be left out: GC is logged by -"
              + JvmKeys.LOG,
          problems);
    } else if (YOUNG_SIZE.contains(name)) {
      refuse(
          text,
          "fixes the young generation, which G1 must size; set -XX:" + JvmKeys.NEW_SIZE_PERCENT,
          problems);
    } else if (OPTION_FILES.contains(name)) {
      refuse(text, "hides options from the plan; must be one option an entry", problems);
    } else if (name.equals(JvmKeys.HADOOP_JARS.name())
        && !option.value().matches("patched|published")) {
      problems.addOption(
          FieldPath.of(Target.JVM, name),
          text,
          Sentence.of(text + " must be patched or published"));
    } else if (options.putIfAbsent(name, option) != null) {
      problems.add(
          FieldPath.JVM_OPTIONS, Sentence.of(name + " is declared twice; declare it once"));
    }
  }

  private static void refuse(String option, String why, Problems problems) {
    problems.addOption(FieldPath.JVM_OPTIONS, option, Sentence.of(option + " " + why));
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

  private static FieldPath property(String name) {
    return FieldPath.of(Target.HBASE_SITE, name);
  }

  /**
   * Settings of the declared values that the derivation did not take; options that the JVM refuses
   * are problems.
   */
  List<Setting> rest(Problems problems) {
    return Stream.concat(
            config.entrySet().stream()
                .map(it -> passedOn(Target.HBASE_SITE, it.getKey(), it.getValue())),
            // Before the options that they unlock, else the JVM refuses them.
            options.values().stream()
                .sorted(Comparator.comparing(option -> !option.name().startsWith("Unlock")))
                .map(option -> passedOn(option, problems)))
        .toList();
  }

  private Setting passedOn(JvmOption option, Problems problems) {
    var setting = passedOn(Target.JVM, option.name(), option.value());
    var refusal = JvmFlags.OF_THE_IMAGE.refusal(option, options);
    if (refusal.isEmpty()) {
      return setting;
    }
    if (imageJava.orElse(JvmFlags.OF_THE_IMAGE.java()) == JvmFlags.OF_THE_IMAGE.java()) {
      var text = JvmOption.text(option.name(), option.value());
      problems.addOption(
          FieldPath.of(Target.JVM, option.name()), text, Sentence.of(text + " " + refusal.get()));
      return setting;
    }
    return setting.with(
        Sentence.of(
            "; warning: "
                + refusal.get()
                + ", and the options of the image's JDK "
                + imageJava.getAsInt()
                + " are unknown"));
  }

  private Setting passedOn(Target target, String name, String text) {
    var key = Keys.named(target, name);
    return new Setting(
        KeyValue.ofText(key, text),
        Provenance.DECLARED,
        Reason.passedOn(FieldPath.of(key), names),
        key.source());
  }
}
