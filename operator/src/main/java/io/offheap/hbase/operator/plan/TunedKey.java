package io.offheap.hbase.operator.plan;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A setting that tuning may change. */
public enum TunedKey {
  BUFFER_COUNT(true),
  /** Sized for a block, so that half a change has no effect. */
  BUFFER_SIZE(false),
  IHOP(true),
  NEW_SIZE_PERCENT(true),
  SURVIVOR_RATIO(true),
  OLD_CSET_PERCENT(true),
  MIXED_COUNT_TARGET(true);

  private final boolean isDivisible;

  TunedKey(boolean isDivisible) {
    this.isDivisible = isDivisible;
  }

  /** The constant of a setting's key; empty where tuning does not change it. */
  public static Optional<TunedKey> of(String key) {
    return Arrays.stream(values()).filter(it -> it.keyName().equals(key)).findFirst();
  }

  /** Values as a plan has them, in the order of their keys' names. */
  public static SortedMap<String, String> texts(Map<TunedKey, Long> values) {
    var texts = new TreeMap<String, String>();
    values.forEach((key, value) -> texts.put(key.keyName(), key.write(value)));
    return texts;
  }

  /** The values of such texts, without those that are none: a status may have any. */
  public static Map<TunedKey, Long> ofTexts(Map<String, String> texts) {
    var values = new EnumMap<TunedKey, Long>(TunedKey.class);
    texts.forEach(
        (name, text) ->
            of(name).ifPresent(key -> key.read(text).ifPresent(it -> values.put(key, it))));
    return values;
  }

  /** Where it takes effect. */
  public Target target() {
    return key().target();
  }

  /** HBase's or HotSpot's own name, as in the plan. */
  public String keyName() {
    return key().name();
  }

  /** The value of a text; empty where it has none, as the plan reads it. */
  public Optional<Long> read(String text) {
    return key().kind().read(text);
  }

  /** The text of a value, as a plan has it. */
  public String write(long value) {
    return key().kind().write(value);
  }

  /** The registered key. */
  public Key<Long> key() {
    return switch (this) {
      case BUFFER_COUNT -> HBaseKeys.BUFFER_COUNT;
      case BUFFER_SIZE -> HBaseKeys.BUFFER_SIZE;
      case IHOP -> JvmKeys.IHOP;
      case NEW_SIZE_PERCENT -> JvmKeys.NEW_SIZE_PERCENT;
      case SURVIVOR_RATIO -> JvmKeys.SURVIVOR_RATIO;
      case OLD_CSET_PERCENT -> JvmKeys.OLD_CSET_PERCENT;
      case MIXED_COUNT_TARGET -> JvmKeys.MIXED_COUNT_TARGET;
    };
  }

  /** Whether a smaller change has an effect too. */
  public boolean isDivisible() {
    return isDivisible;
  }
}
