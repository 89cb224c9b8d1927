package io.offheap.hbase.operator.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where the value of a setting comes from. */
public enum Provenance {
  /** A formula over declared fields and constants. */
  DERIVED,
  /** A field of the resource. */
  DECLARED,
  /** A rule of tuning. */
  TUNED,
  /** A field of the resource's profile. */
  PROFILE,
  /** A formula with inputs that were read from the running cluster. */
  LIVE;

  /** Whether the resource decides the value, by a field of its own or of its profile. */
  public boolean isDeclared() {
    return this == DECLARED || this == PROFILE;
  }

  /** Its word in a status. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The provenance of a word; empty for another text. */
  public static Optional<Provenance> of(String text) {
    return Arrays.stream(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
