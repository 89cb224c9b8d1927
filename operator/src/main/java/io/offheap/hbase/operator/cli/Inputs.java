package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.Profile;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.declare.GroupField;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.HFileDefaults;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All fields that the plan of a resource may depend on, with values to try. A field of {@link
 * GroupField} needs no line here; a line names the value of one that is left out.
 */
final class Inputs {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Fields with inputs of their own, and those that no plan depends on. */
  private static final Set<String> OTHERWISE = Set.of("memory", "profile", "replicas");

  /** A number with the unit that {@code java} takes. */
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,15})([kmg]?)");

  private static final Pattern FRACTION = Pattern.compile("0\\.\\d{1,10}");

  /** Survivors to try where none are declared. */
  private static final List<String> SURVIVORS =
      List.of("1Mi", "4Mi", "16Mi", "64Mi", "256Mi", "1Gi");

  private final GroupLocation place;
  private final RegionServersSpec spec;
  private final MemoryPlan plan;

  private Inputs(GroupLocation place, MemoryPlan plan) {
    this.place = place;
    this.spec = place.spec();
    this.plan = plan;
  }

  /** The fields except memory; a field that is left out has the plan's value. */
  static List<Input> fields(GroupLocation place, MemoryPlan plan) {
    var inputs = new Inputs(place, plan);
    var named = Stream.concat(inputs.always(), inputs.derivedWhereLeftOut()).toList();
    var names = named.stream().map(Input::field).collect(Collectors.toSet());
    return Stream.concat(
            named.stream(), inputs.declared().filter(it -> !names.contains(it.field())))
        .toList();
  }

  /** Every other field that has a value, by its type. */
  private Stream<Input> declared() {
    var tree = JSON.valueToTree(spec);
    return GroupField.all().stream()
        .filter(it -> !OTHERWISE.contains(it.path().split("\\.", 2)[0]))
        .flatMap(it -> ofType(it, tree.at("/" + it.path().replace('.', '/'))).stream());
  }

  private Optional<Input> ofType(GroupField field, JsonNode value) {
    var path = place.field(field.path());
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (value.isInt()) {
      return Optional.of(Input.count(path, value.longValue()));
    }
    if (value.isBoolean()) {
      return Optional.of(
          new Input(path, value.asText(), List.of(List.of("" + !value.booleanValue()))));
    }
    if (field.type().isEnum()) {
      return Optional.of(Input.choice(path, value.asText(), field.type().getEnumConstants()));
    }
    return field.type() == Quantity.class
        ? Quantities.bytes(Quantity.parse(value.asText())).stream()
            .filter(it -> it > 0)
            .mapToObj(it -> Input.bytes(path, it))
            .findFirst()
        : Optional.empty();
  }

  private Input orDefault(String field, Quantity declared, long defaultBytes) {
    return Input.quantity(
        place.field(field),
        Objects.requireNonNullElseGet(
            declared, () -> Quantity.parse(Bytes.quantity(defaultBytes))));
  }

  private Stream<Input> always() {
    return Stream.of(
        Input.count(
            place.field("resources.limits.cpu"),
            Quantities.cores(spec.resources().limits().cpu()).orElseThrow()),
        Input.choice(place.field("disk"), spec.disk(), RegionServersSpec.Disk.values()),
        Input.choice(place.field("load"), spec.load(), RegionServersSpec.Load.values()),
        Input.choice(
            place.field("blockCache.mode"), spec.blockCache().mode(), BlockCacheSpec.Mode.values()),
        orDefault("hfile.blockSize", spec.hfile().blockSize(), HFileDefaults.DATA_BLOCK),
        orDefault("hfile.indexBlockSize", spec.hfile().indexBlockSize(), HFileDefaults.META_BLOCK),
        orDefault("hfile.bloomBlockSize", spec.hfile().bloomBlockSize(), HFileDefaults.META_BLOCK),
        Input.count(
            place.field("hfile.cellSize"),
            spec.hfile().cellSize() == null ? HFileDefaults.CELL : spec.hfile().cellSize()),
        Input.count(place.field("handlers"), spec.handlers()));
  }

  private Stream<Input> derivedWhereLeftOut() {
    return Stream.of(
            profile(),
            openFiles(),
            share("memstoreFraction", HBaseKeys.MEMSTORE_SHARE),
            share("blockCache.l1Fraction", HBaseKeys.L1_SHARE),
            bucketCache(),
            cacheVolume(),
            part("allocator.poolSize", "allocatorPool"),
            plan.value(HBaseKeys.MINIMAL_ALLOCATION)
                .map(bytes -> Input.count(place.field("allocator.minimalAllocateSize"), bytes)),
            Optional.of(survivors()))
        .flatMap(Optional::stream);
  }

  /**
   * Another profile, only where one is declared: else each profile would be listed for every value.
   */
  private Optional<Input> profile() {
    var now = spec.profile();
    return Optional.ofNullable(now)
        .map(
            it ->
                new Input(
                    place.field("profile"),
                    it.text(),
                    Arrays.stream(Profile.values())
                        .filter(other -> other != now)
                        .map(other -> List.of(other.text()))
                        .toList()));
  }

  private Optional<Input> openFiles() {
    return Optional.ofNullable(spec.hfile().openFiles())
        .map(files -> Input.count(place.field("hfile.openFiles"), files));
  }

  private Optional<Input> bucketCache() {
    long file = plan.bucketCache().map(MemoryPlan.BucketCache::fileBytes).orElse(0L);
    if (file > 0) {
      return Optional.of(Input.bytes(place.field("blockCache.bucketCacheSize"), file));
    }
    return part("blockCache.bucketCacheSize", "bucketCache");
  }

  private Optional<Input> cacheVolume() {
    return Optional.ofNullable(spec.blockCache().file())
        .map(BlockCacheSpec.FileSpec::storage)
        .map(it -> Input.quantity(place.field("blockCache.file.storage.size"), it.size()));
  }

  private Input survivors() {
    var field = place.field("g1.survivorSize");
    return spec.g1() == null || spec.g1().survivorSize() == null
        ? new Input(field, "none", List.of(SURVIVORS))
        : Input.quantity(field, spec.g1().survivorSize());
  }

  private Optional<Input> share(String field, Key<BigDecimal> key) {
    return plan.value(key).map(share -> Input.fraction(place.field(field), share));
  }

  private Optional<Input> part(String field, String item) {
    return plan.budget().stream()
        .filter(part -> part.item().equals(item) && part.bytes() > 0)
        .map(BudgetItem::bytes)
        .map(bytes -> Input.bytes(place.field(field), bytes))
        .findFirst();
  }

  /** Inputs that declare the setting itself, which the planner may refuse. */
  static List<Input> overrides(GroupLocation place, MemoryPlan plan, Setting setting) {
    if (setting.target() == Target.CONTAINER) {
      return List.of();
    }
    if (setting.target() == Target.HBASE_SITE) {
      return List.of(around(place.field("config[" + setting.name() + "]"), "", setting.text()));
    }
    var option = option(plan, setting);
    var declared = place.jvmOptions();
    if (!option.endsWith(setting.text())) {
      return List.of(
          onOff(place.field("jvmOptions[" + declared.size() + "]"), option, setting.text()));
    }
    var prefix = option.substring(0, option.length() - setting.text().length());
    // In place of each declared option that may be this one, and at the end.
    return IntStream.rangeClosed(0, declared.size())
        .filter(index -> index == declared.size() || declared.get(index).startsWith(prefix))
        .mapToObj(index -> around(place.field("jvmOptions[" + index + "]"), prefix, setting.text()))
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

  /**
   * The option of a setting for {@code java}; the plan's options are in the order of its settings.
   */
  static String option(MemoryPlan plan, Setting setting) {
    var options = plan.settings().stream().filter(other -> other.target() == Target.JVM).toList();
    return plan.jvmOptions().get(options.indexOf(setting));
  }
}
