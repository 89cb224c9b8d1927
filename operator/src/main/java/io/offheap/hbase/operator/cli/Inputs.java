package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Everything that the plan of a resource may depend on, with values to try. */
final class Inputs {
  private static final String SPEC = "spec.regionServers.";

  /** A number with the unit that {@code java} takes. */
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,15})([kmg]?)");

  private static final Pattern FRACTION = Pattern.compile("0\\.\\d{1,10}");
  private final RegionServersSpec spec;
  private final MemoryPlan plan;

  private Inputs(RegionServersSpec spec, MemoryPlan plan) {
    this.spec = spec;
    this.plan = plan;
  }

  /** The fields of a resource, with what the plan came to where they are left out. */
  static List<Input> fields(RegionServersSpec spec, MemoryPlan plan) {
    var inputs = new Inputs(spec, plan);
    return Stream.concat(inputs.always(), inputs.derivedWhereLeftOut()).toList();
  }

  private Stream<Input> always() {
    return Stream.of(
        Input.quantity(SPEC + "memory.heap", spec.memory().heap()),
        Input.quantity(SPEC + "memory.offHeap", spec.memory().offHeap()),
        Input.count(SPEC + "cores", spec.cores()),
        Input.choice(SPEC + "disk", spec.disk(), RegionServersSpec.Disk.values()),
        Input.choice(SPEC + "load", spec.load(), RegionServersSpec.Load.values()),
        Input.choice(
            SPEC + "blockCache.mode", spec.blockCache().mode(), BlockCacheSpec.Mode.values()),
        Input.quantity(SPEC + "hfile.blockSize", spec.hfile().blockSize()),
        Input.quantity(SPEC + "hfile.indexBlockSize", spec.hfile().indexBlockSize()),
        Input.quantity(SPEC + "hfile.bloomBlockSize", spec.hfile().bloomBlockSize()),
        Input.count(SPEC + "hfile.cellSize", spec.hfile().cellSize()),
        Input.count(SPEC + "handlers", spec.handlers()));
  }

  private Stream<Input> derivedWhereLeftOut() {
    return Stream.of(
            share("memstoreFraction", "hbase.regionserver.global.memstore.size"),
            share("blockCache.l1Fraction", "hfile.block.cache.size"),
            part("blockCache.bucketCacheSize", "bucketCache"),
            part("allocator.poolSize", "allocatorPool"),
            value("hbase.server.allocator.minimal.allocate.size")
                .map(
                    bytes ->
                        Input.count(SPEC + "allocator.minimalAllocateSize", Long.parseLong(bytes))),
            Optional.of(Input.bytes(SPEC + "memory.limit", plan.containerMemoryBytes())))
        .flatMap(Optional::stream);
  }

  private Optional<Input> share(String field, String key) {
    return value(key).map(share -> Input.fraction(SPEC + field, new BigDecimal(share)));
  }

  private Optional<String> value(String key) {
    return plan.setting(Target.HBASE_SITE, key).map(Setting::value);
  }

  private Optional<Input> part(String field, String item) {
    return plan.budget().stream()
        .filter(part -> part.item().equals(item) && part.bytes() > 0)
        .map(BudgetItem::bytes)
        .map(bytes -> Input.bytes(SPEC + field, bytes))
        .findFirst();
  }

  /** The ways to declare a setting's value itself, which the planner may refuse. */
  static List<Input> overrides(RegionServersSpec spec, MemoryPlan plan, Setting setting) {
    if (setting.target() == Target.CONTAINER) {
      return List.of();
    }
    if (setting.target() == Target.HBASE_SITE) {
      return List.of(around(SPEC + "config[" + setting.key() + "]", "", setting.value()));
    }
    var option = option(plan, setting);
    if (!option.endsWith(setting.value())) {
      return List.of(
          onOff(SPEC + "jvmOptions[" + spec.jvmOptions().size() + "]", option, setting.value()));
    }
    var prefix = option.substring(0, option.length() - setting.value().length());
    // In place of each that is there, should it be this one, and at the end.
    return IntStream.rangeClosed(0, spec.jvmOptions().size())
        .filter(
            index ->
                index == spec.jvmOptions().size()
                    || spec.jvmOptions().get(index).startsWith(prefix))
        .mapToObj(index -> around(SPEC + "jvmOptions[" + index + "]", prefix, setting.value()))
        .toList();
  }

  private static Input around(String field, String prefix, String value) {
    return new Input(
        field,
        value,
        ways(field, value).stream()
            .map(way -> way.stream().map(other -> prefix + other).toList())
            .toList());
  }

  private static List<List<String>> ways(String field, String value) {
    var number = NUMBER.matcher(value);
    if (number.matches()) {
      var unit = number.group(2);
      return Input.scaled(field, Long.parseLong(number.group(1)), other -> other + unit).ways();
    }
    return FRACTION.matcher(value).matches()
        ? Input.fraction(field, new BigDecimal(value)).ways()
        : List.of();
  }

  private static Input onOff(String field, String option, String value) {
    boolean on = option.startsWith("-XX:+");
    var other = on ? option.replace("-XX:+", "-XX:-") : option.replace("-XX:-", "-XX:+");
    return new Input(field, value, List.of(List.of(other)));
  }

  /** A setting as {@code java} takes it; the plan's options stand in the order of its settings. */
  static String option(MemoryPlan plan, Setting setting) {
    var options = plan.settings().stream().filter(other -> other.target() == Target.JVM).toList();
    return plan.jvmOptions().get(options.indexOf(setting));
  }
}
