package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A finding about a configuration.
 *
 * @param severity the severity
 * @param key the property or JVM option
 * @param value the effective value; left out where nothing sets it and its default is unknown
 * @param place the file that sets it, or whose default it is
 * @param isSet whether a file sets it
 * @param derived the plan's value; left out where the plan has no such value
 * @param message the problem and what the value must be
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Finding(
    Severity severity,
    String key,
    String value,
    String place,
    @JsonProperty("isSet") boolean isSet,
    String derived,
    String message) {
  /** The severity of a finding. */
  enum Severity {
    /**
     * The planner refuses the value: HBase or its JVM would not start, or would take more memory
     * than there is.
     */
    error(0),
    /** The value differs from the derived one. */
    warning(1),
    /** The text was not understood and may decide a value. */
    unclear(2);

    private final int rank;

    Severity(int rank) {
      this.rank = rank;
    }

    /** Its place in a report: the worst is 0. */
    int rank() {
      return rank;
    }
  }

  static Finding unclear(String place, String what, String why) {
    return new Finding(Severity.unclear, what, null, place, true, null, why);
  }
}
