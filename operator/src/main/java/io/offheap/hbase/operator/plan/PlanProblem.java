package io.offheap.hbase.operator.plan;

import java.util.Optional;

/**
 * A reason why a resource has no plan. Its texts are bounded and printable, whatever was declared,
 * for status, events and terminals.
 *
 * @param field path of the field to change
 * @param message the value, the problem and what it must be
 * @param kind the kind of problem, for programs
 * @param path the field of a group of region servers, where the problem is one of such a field
 * @param option the JVM option as declared, where its text is the problem
 */
public record PlanProblem(
    String field, String message, Kind kind, Optional<FieldPath> path, Optional<String> option) {
  private static final int LONGEST_FIELD = 500;
  private static final int LONGEST_MESSAGE = 4000;

  /** The kind of a problem. */
  public enum Kind {
    /** The value is invalid. */
    VALUE,
    /** The value differs from the one that follows from the rest of the plan. */
    OTHER_THAN_DERIVED,
    /** The text is not a JVM option. */
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
