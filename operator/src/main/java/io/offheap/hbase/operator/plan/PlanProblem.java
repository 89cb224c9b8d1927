package io.offheap.hbase.operator.plan;

import java.util.Optional;

/**
 * Why a resource gives no plan. Its texts are such that a status, an event or a terminal can hold
 * them, whatever was declared.
 *
 * @param field path of the field to change
 * @param message the value, what is wrong with it and what it must be
 * @param kind what is wrong, for programs
 * @param path the field of a group of region servers, where the problem is one of such a field
 * @param option the JVM option as it was declared, where the problem is with its text
 */
public record PlanProblem(
    String field, String message, Kind kind, Optional<FieldPath> path, Optional<String> option) {
  private static final int LONGEST_FIELD = 500;
  private static final int LONGEST_MESSAGE = 4000;

  /** What is wrong. */
  public enum Kind {
    /** The value. */
    VALUE,
    /** It is another value than the one that follows from the rest of the plan. */
    OTHER_THAN_DERIVED,
    /** It is no option of a JVM. */
    NO_OPTION
  }

  public PlanProblem {
    field = Texts.shown(field, LONGEST_FIELD);
    message = Texts.shown(message, LONGEST_MESSAGE);
  }

  /** A problem with the value of a field. */
  public PlanProblem(String field, String message) {
    this(field, message, Kind.VALUE, Optional.empty(), Optional.empty());
  }

  /** A problem with the value of a field of a group of region servers. */
  public PlanProblem(FieldPath path, FieldNames names, String message) {
    this(names.of(path), message, Kind.VALUE, Optional.of(path), Optional.empty());
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
