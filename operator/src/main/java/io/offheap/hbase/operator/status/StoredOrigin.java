package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.plan.Provenance;
import java.util.List;

/**
 * The origin of a value in a stored plan.
 *
 * @param provenance its provenance
 * @param source the profile's name for a value of a profile; else where the formula is published,
 *     as far as it is known
 */
record StoredOrigin(Provenance provenance, String source) {
  /** In place of a value's reason, which is not stored. */
  static final String NO_REASON = "as it was planned before the spec was refused";

  private static final String UNKNOWN = "this operator: the plan that was applied last";
  private static final String PROFILE = Provenance.PROFILE.text() + " ";

  /**
   * The origin by what a row has after the value: nothing for a derived value, the provenance, and
   * for a value of a profile its name.
   *
   * @throws java.util.NoSuchElementException if the first of two texts is no provenance
   */
  static StoredOrigin of(List<String> texts) {
    return switch (texts.size()) {
      case 0 -> new StoredOrigin(Provenance.DERIVED, UNKNOWN);
      case 1 -> ofText(texts.get(0));
      default -> new StoredOrigin(Provenance.of(texts.get(0)).orElseThrow(), texts.get(1));
    };
  }

  /**
   * The origin by one text: the provenance, or what earlier versions stored, {@code profile NAME}
   * or the source of a formula.
   */
  static StoredOrigin ofText(String text) {
    if (text.startsWith(PROFILE)) {
      return new StoredOrigin(Provenance.PROFILE, text.substring(PROFILE.length()));
    }
    return Provenance.of(text)
        .map(it -> new StoredOrigin(it, UNKNOWN))
        .orElseGet(() -> new StoredOrigin(Provenance.DERIVED, text));
  }
}
