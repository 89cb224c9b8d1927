package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.cli.Finding.Severity;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.plan.CachedData;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.JvmOption;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Checks a configuration with the planner, which runs twice on what the configuration declares:
 * with all effective values, set or default, to find what it refuses, and without them to derive
 * values.
 */
final class ConfigurationChecker {
  private static final ConfigurationNames NAMES = new ConfigurationNames();
  private static final long MOST_OFF_HEAP = 1L << 45;

  /** Set by the operator on Kubernetes, and by the configuration elsewhere. */
  private static final Set<String> NOT_OF_MEMORY =
      Set.of(
          HBaseKeys.ROOT_DIR.name(),
          HBaseKeys.DISTRIBUTED.name(),
          HBaseKeys.QUORUM.name(),
          HBaseKeys.ZNODE.name(),
          HBaseKeys.TMP_DIR.name(),
          HBaseKeys.HOST_NAME.name(),
          HBaseKeys.NO_REVERSE_DNS.name(),
          HBaseKeys.PORT.name(),
          HBaseKeys.INFO_PORT.name());

  /** Fields of the resource, which are inputs of a plan. */
  private static final Set<String> DECLARED =
      Set.of(
          RunningConfigurationReader.HANDLERS,
          RunningConfigurationReader.INDEX_BLOCK,
          RunningConfigurationReader.BLOOM_BLOCK,
          RunningConfigurationReader.ENGINE,
          RunningConfigurationReader.PERSISTENCE,
          RunningConfigurationReader.OFF_HEAP_MEMSTORE,
          RunningConfiguration.SHORT_CIRCUIT,
          JvmKeys.HEAP.name(),
          JvmKeys.DIRECT_MEMORY.name());

  /** Properties that the plan passes on, and from which it derives others. */
  private static final List<Key<?>> FOLLOWED =
      List.of(
          HBaseKeys.BYTES_PER_CHECKSUM,
          HBaseKeys.CACHE_WRITERS,
          HBaseKeys.CACHE_WRITER_QUEUE,
          HBaseKeys.RAM_BUFFER);

  private final ConfFolder conf;
  private final JvmLine line;
  private final RunningConfiguration running;
  private final EffectiveValues effective;
  private final Set<Finding> findings = new LinkedHashSet<>();

  ConfigurationChecker(ConfFolder conf, JvmLine line, RunningConfiguration running) {
    this.conf = conf;
    this.line = line;
    this.running = running;
    effective = new EffectiveValues(conf, line, running);
  }

  /** Whether a value is declared and not derived: the size of a cache in a file has no formula. */
  private boolean isDeclared(String key) {
    return DECLARED.contains(key)
        || (key.equals(RunningConfigurationReader.CACHE_SIZE) && running.cache().file() != null);
  }

  /**
   * The plan that follows from what the configuration declares, and its off-heap budget: the least
   * doubling that gives a plan. Empty where none does.
   */
  Optional<Derived> derive() {
    return derive(followed()).or(() -> derive(shortCircuit()));
  }

  private Optional<Derived> derive(Map<String, String> config) {
    var inRange = running.inRange();
    for (long offHeap = inRange.offHeapBytes(); offHeap <= MOST_OFF_HEAP; offHeap *= 2) {
      var unlimited = inRange.with(inRange.heapBytes(), offHeap, OptionalLong.empty());
      if (plan(unlimited, config, List.of()) instanceof PlanResult.Planned planned) {
        var group = ServerGroups.of(unlimited.cluster(config, List.of()).getSpec()).get(0);
        return Optional.of(new Derived(new GroupPlan(group, planned.plan()), offHeap));
      }
    }
    return Optional.empty();
  }

  /** A plan and its off-heap budget. */
  record Derived(GroupPlan group, long offHeapBytes) {
    MemoryPlan plan() {
      return group.plan();
    }
  }

  private static PlanResult plan(
      RunningConfiguration running, Map<String, String> config, List<String> options) {
    return new Plans().ofDefaultGroup(running.cluster(config, options), NAMES);
  }

  /** The configuration's own cache; empty where it is without a size that is a number. */
  Optional<CachedData> cachedData() {
    if (running.cache().mode() == BlockCacheSpec.Mode.Lru) {
      return number(HBaseKeys.L1_SHARE).map(share -> CachedData.ofLru(share, running.heapBytes()));
    }
    return number(HBaseKeys.CACHE_SIZE)
        .map(
            mib ->
                CachedData.ofBucketCache(
                    (long) (mib * RunningConfiguration.MIB),
                    effective
                        .value(Target.HBASE_SITE, HBaseKeys.BUCKET_SIZES.name())
                        .orElse(HBaseKeys.BUCKET_SIZES.constantDefault()),
                    factor(HBaseKeys.CACHE_ACCEPT_FACTOR),
                    factor(HBaseKeys.CACHE_MIN_FACTOR),
                    meanBlock()));
  }

  private long meanBlock() {
    var hfile = running.hfile();
    return CachedData.meanBlock(
        hfile.blockSize() == null ? OptionalLong.empty() : Quantities.bytes(hfile.blockSize()),
        hfile.cellSize() == null ? OptionalLong.empty() : OptionalLong.of(hfile.cellSize()));
  }

  private double factor(Key<BigDecimal> key) {
    return number(key).orElse(key.constantDefault().doubleValue());
  }

  private Optional<Double> number(Key<BigDecimal> key) {
    return effective
        .value(Target.HBASE_SITE, key.name())
        .flatMap(text -> key.kind().read(text))
        .map(BigDecimal::doubleValue)
        .filter(it -> it > 0);
  }

  /** With the values that derived values follow from. */
  private Map<String, String> followed() {
    var config = new LinkedHashMap<>(shortCircuit());
    for (var key : FOLLOWED) {
      Optional.ofNullable(conf.properties().get(key.name()))
          .ifPresent(found -> config.put(key.name(), found.value()));
    }
    return config;
  }

  private Map<String, String> shortCircuit() {
    return running.shortCircuit() ? Map.of(RunningConfiguration.SHORT_CIRCUIT, "true") : Map.of();
  }

  /** Findings for all values that the planner refuses or that stop the JVM. */
  List<Finding> refused(Optional<MemoryPlan> derived) {
    var inRange = running.inRange();
    if (!inRange.equals(running)) {
      report(plan(running, shortCircuit(), List.of()));
    }
    report(plan(inRange, config(derived), options(derived)));
    line.options().forEach(this::removed);
    line.locked()
        .ifPresent(
            name ->
                error(
                    Target.JVM,
                    name,
                    "is experimental, and a JDK 17 stops at it unless"
                        + " -XX:+"
                        + JvmKeys.UNLOCK_EXPERIMENTAL
                        + " precedes it"));
    return new ArrayList<>(findings);
  }

  private Map<String, String> config(Optional<MemoryPlan> derived) {
    var config = new LinkedHashMap<String, String>();
    conf.properties()
        .forEach(
            (key, found) -> {
              var harmless = running.ownDefault(Target.HBASE_SITE, key, it -> Optional.empty());
              if (!NOT_OF_MEMORY.contains(key)
                  && !isDeclared(key)
                  && !found.value().isEmpty()
                  && harmless.filter(found.value()::equals).isEmpty()) {
                config.put(key, found.value());
              }
            });
    keys(derived, Target.HBASE_SITE)
        .forEach(
            key ->
                effective.value(Target.HBASE_SITE, key).ifPresent(value -> config.put(key, value)));
    config.putAll(shortCircuit());
    return config;
  }

  private List<String> options(Optional<MemoryPlan> derived) {
    var options = new LinkedHashMap<String, String>();
    line.options()
        .forEach(
            (name, found) -> {
              if (!isDeclared(name) && !found.value().equals("-server")) {
                options.put(name, found.value());
              }
            });
    keys(derived, Target.JVM)
        .forEach(
            name ->
                effective
                    .value(Target.JVM, name)
                    .ifPresent(value -> options.putIfAbsent(name, JvmLine.text(name, value))));
    return List.copyOf(options.values());
  }

  private List<String> keys(Optional<MemoryPlan> derived, Target target) {
    return derived.stream()
        .flatMap(plan -> plan.settings().stream())
        .filter(setting -> setting.target() == target)
        .map(Setting::name)
        .filter(key -> !isDeclared(key))
        .toList();
  }

  private void report(PlanResult result) {
    if (result instanceof PlanResult.Refused refused) {
      refused.problems().forEach(this::report);
    }
  }

  private void report(PlanProblem problem) {
    if (problem.kind() == PlanProblem.Kind.OTHER_THAN_DERIVED) {
      // The comparison with the plan reports it, with the reason.
      return;
    }
    var named =
        line.options().entrySet().stream()
            .filter(it -> problem.option().filter(it.getValue().value()::equals).isPresent())
            .findFirst();
    if (named.isPresent()) {
      var found = named.get().getValue();
      if (problem.kind() == PlanProblem.Kind.NO_OPTION) {
        findings.add(Finding.unclear(found.place(), found.value(), "is not a known JVM option"));
      } else {
        error(Target.JVM, named.get().getKey(), problem.message());
      }
      return;
    }
    error(
        problem.path().map(ConfigurationNames::target).orElse(Target.HBASE_SITE),
        problem.path().map(NAMES::key).orElse(problem.field()),
        problem.message());
  }

  private void removed(String name, PlacedValue found) {
    boolean isKnown =
        findings.stream().anyMatch(it -> it.severity() == Severity.error && it.key().equals(name));
    if (JvmOption.isRemoved(name) && !isKnown) {
      error(Target.JVM, name, found.value() + " stops a JDK 17, which has no such option");
    }
  }

  private void error(Target target, String key, String message) {
    findings.add(finding(Severity.error, target, key, null, message));
  }

  private Finding finding(
      Severity severity, Target target, String key, String derived, String message) {
    boolean isOption = key.startsWith("--");
    return new Finding(
        severity,
        key,
        isOption ? null : effective.value(target, key).orElse(null),
        isOption ? "command line" : effective.place(target, key),
        isOption || effective.set(target, key).isPresent(),
        derived,
        message);
  }

  /**
   * Findings for effective values that differ from a plan's.
   *
   * @param wasDeclared whether the plan is of a resource that declares its fields
   */
  List<Finding> different(MemoryPlan plan, boolean wasDeclared) {
    return plan.settings().stream()
        .filter(setting -> setting.target() != Target.CONTAINER)
        .filter(setting -> wasDeclared || !isDeclared(setting.name()))
        .filter(setting -> !effective.isAs(setting.target(), setting.name(), setting.text()))
        .map(this::different)
        .toList();
  }

  private Finding different(Setting setting) {
    var value = effective.value(setting.target(), setting.name()).orElse("");
    boolean stops =
        setting.key().equals(JvmKeys.USE_G1)
            || (setting.key().equals(JvmKeys.HEAP_AT_START)
                && Kind.JVM_SIZE.read(value).orElse(0L) > running.heapBytes());
    return finding(
        stops ? Severity.error : Severity.warning,
        setting.target(),
        setting.name(),
        setting.text(),
        setting.sentence());
  }
}
