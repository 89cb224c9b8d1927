package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Something about a configuration that a person should know.
 *
 * @param severity how bad it is
 * @param key the property or JVM option
 * @param value as it takes effect; left out where nothing sets it and its default is not known
 * @param place the file that sets it, or whose default it is
 * @param isSet whether a file sets it
 * @param derived what the plan has in its place; left out where the plan has no such value
 * @param message what is wrong and what it must be
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
  /** How bad a finding is, the worst first. */
  enum Severity {
    /** The planner refuses it: HBase or its JVM would not start, or take more than there is. */
    error,
    /** It is another value than the plan derives. */
    warning,
    /** It was not understood, and may decide a value. */
    unclear
  }

  static Finding unclear(String place, String what, String why) {
    return new Finding(Severity.unclear, what, null, place, true, null, why);
  }
}
