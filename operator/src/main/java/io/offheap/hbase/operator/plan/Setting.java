package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.List;
import java.util.Set;

/**
 * One value of a plan.
 *
 * @param key the property, JVM option or resource of the container
 * @param value the rendered text; a declared text is unchanged
 * @param provenance its provenance
 * @param reason the reason for it
 * @param source where the formula is published; the profile's name for a value of a profile
 */
public record Setting(
    Key<?> key, String value, Provenance provenance, Reason reason, String source) {
  /** Kinds whose text has a unit. */
  private static final Set<Kind<?>> SIZES = Set.of(Kind.JVM_SIZE, Kind.QUANTITY);

  private static final String DECLARED = "declared";
  private static final String TUNED = "tuned";

  /**
   * A setting of a stored plan.
   *
   * @param sentence its {@link #sentence}
   * @param origin its {@link #origin}
   */
  public static Setting written(
      Target target, String name, String value, String sentence, String origin) {
    return new Setting(
        Keys.named(target, name), value, provenance(origin), Reason.written(sentence), origin);
  }

  /** The provenance of an {@link #origin}; derived for every published source. */
  public static Provenance provenance(String origin) {
    return switch (origin) {
      case DECLARED -> Provenance.DECLARED;
      case TUNED -> Provenance.TUNED;
      default -> Provenance.DERIVED;
    };
  }

  /** Where it takes effect. */
  public Target target() {
    return key.target();
  }

  /** HBase's, HotSpot's or Kubernetes' own name. */
  public String name() {
    return key.name();
  }

  /**
   * A {@link Long}, {@link java.math.BigDecimal}, {@link Boolean} or {@link String}: the value as
   * its process parses it. The text itself where it cannot be parsed, which is possible for keys
   * that the plan does not use.
   */
  public Object typedValue() {
    return key.kind().read(value).<Object>map(it -> it).orElse(value);
  }

  /** The unit of {@link #typedValue}. */
  public Unit unit() {
    return SIZES.contains(key.kind()) ? Unit.BYTES : key.unit();
  }

  /** The declared fields that decide it, the most important first; none for a constant. */
  public List<FieldPath> fields() {
    return reason.fields();
  }

  /**
   * The inputs of its formula: of the formula for {@link Reason#derived}, where a field or a rule
   * decided.
   */
  public List<Input> inputs() {
    return reason.formula().inputs();
  }

  /** The reason as a sentence. */
  public String sentence() {
    return reason.sentence(provenance);
  }

  /** The origin, for people: {@code declared}, {@code tuned}, or the source. */
  public String origin() {
    return switch (provenance) {
      case DECLARED -> DECLARED;
      case TUNED -> TUNED;
      case DERIVED, PROFILE, LIVE -> source;
    };
  }

  /**
   * This setting, with a profile as its provenance.
   *
   * @param profile name of the profile
   */
  public Setting ofProfile(String profile) {
    return new Setting(key, value, Provenance.PROFILE, reason, "profile " + profile);
  }

  /** This setting with another remark in its reason. */
  Setting with(Sentence remark) {
    return new Setting(key, value, provenance, reason.with(remark), source);
  }
}
