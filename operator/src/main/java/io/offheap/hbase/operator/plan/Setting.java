package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.List;
import java.util.Set;

/**
 * One value of a plan.
 *
 * @param keyValue the property, JVM option or resource of the container, with its value
 * @param provenance its provenance
 * @param reason the reason for it
 * @param source where the formula is published, for a key without one {@link Key#source}; the
 *     profile's name for a value of a profile
 */
public record Setting(KeyValue<?> keyValue, Provenance provenance, Reason reason, String source) {
  /** Kinds whose text has a unit. */
  private static final Set<Kind<?>> SIZES = Set.of(Kind.JVM_SIZE, Kind.QUANTITY);

  /**
   * A setting of a stored plan.
   *
   * @param text its {@link #text}
   * @param sentence its {@link #sentence}
   * @param source its source
   */
  public static Setting stored(
      Target target,
      String name,
      String text,
      Provenance provenance,
      String sentence,
      String source) {
    return new Setting(
        KeyValue.ofText(Keys.named(target, name), text),
        provenance,
        Reason.written(sentence),
        source);
  }

  /** The property, JVM option or resource of the container. */
  public Key<?> key() {
    return keyValue.key();
  }

  /** Where it takes effect. */
  public Target target() {
    return key().target();
  }

  /** HBase's, HotSpot's or Kubernetes' own name. */
  public String name() {
    return key().name();
  }

  /** The text of its value; a declared one is unchanged. */
  public String text() {
    return keyValue.text();
  }

  /**
   * A {@link Long}, {@link java.math.BigDecimal}, {@link Boolean} or {@link String}: the value as
   * its process parses it.
   */
  public Object typedValue() {
    return keyValue.value();
  }

  /** The unit of {@link #typedValue}. */
  public Unit unit() {
    return SIZES.contains(key().kind()) ? Unit.BYTES : key().unit();
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

  /** The origin, for people: {@code declared}, {@code tuned}, the profile, or the source. */
  public String origin() {
    return switch (provenance) {
      case DECLARED, TUNED -> provenance.text();
      case PROFILE -> provenance.text() + " " + source;
      case DERIVED, LIVE -> source;
    };
  }

  /**
   * This setting, with a profile as its provenance.
   *
   * @param profile name of the profile
   */
  public Setting ofProfile(String profile) {
    return new Setting(keyValue, Provenance.PROFILE, reason, profile);
  }

  /** This setting with another remark in its reason. */
  Setting with(Sentence remark) {
    return new Setting(keyValue, provenance, reason.with(remark), source);
  }
}
