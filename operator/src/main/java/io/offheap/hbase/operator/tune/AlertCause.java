package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The alert that triggered the reconciliation in which a change was decided. No decision depends on
 * the alert. Status, events and the log show it, so its parts are bounded.
 *
 * @param name the alert's name, of at most {@value #LONGEST_NAME} letters, digits and {@code _:.-}
 * @param fingerprint Alertmanager's identifier of the alert, 16 hexadecimal digits
 * @param startsAt since when the alert fires
 */
public record AlertCause(String name, String fingerprint, Instant startsAt) {
  static final int LONGEST_NAME = 64;

  private static final String UNNAMED = "unnamed";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:.-]{1," + LONGEST_NAME + "}");
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");

  /** Fails for parts that {@link #of} does not produce. */
  public AlertCause {
    if (!NAME.matcher(name).matches() || !FINGERPRINT.matcher(fingerprint).matches()) {
      throw new IllegalArgumentException("an alert must have a plain name and a fingerprint");
    }
  }

  /**
   * The cause for an alert as received.
   *
   * @param name text of a sender, or null: each character that is not permitted becomes {@code _},
   *     and the rest of a long name is left out
   * @throws IllegalArgumentException if the fingerprint is not 16 hexadecimal digits
   */
  public static AlertCause of(String name, String fingerprint, Instant startsAt) {
    if (name == null || name.isEmpty()) {
      return new AlertCause(UNNAMED, fingerprint, startsAt);
    }
    var bounded = name.substring(0, Math.min(name.length(), LONGEST_NAME));
    return new AlertCause(bounded.replaceAll("[^A-Za-z0-9_:.-]", "_"), fingerprint, startsAt);
  }

  /** For people. */
  @Override
  public String toString() {
    return name + " (" + fingerprint + ", since " + startsAt + ")";
  }
}
