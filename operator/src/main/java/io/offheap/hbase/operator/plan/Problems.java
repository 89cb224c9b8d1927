package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.PlanProblem.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The problems that a derivation has found so far. */
final class Problems {
  private final List<PlanProblem> all = new ArrayList<>();
  private final FieldNames names;

  Problems(FieldNames names) {
    this.names = names;
  }

  /**
   * Adds a problem.
   *
   * @param field the field to change
   * @param message the value, the problem and what it must be
   */
  void add(FieldPath field, Sentence message) {
    add(Kind.VALUE, field, Optional.empty(), message);
  }

  /** Adds a problem with a value that differs from the one that follows from the rest. */
  void addOtherThanDerived(FieldPath field, Sentence message) {
    add(Kind.OTHER_THAN_DERIVED, field, Optional.empty(), message);
  }

  /**
   * Adds a problem with the text of a JVM option.
   *
   * @param option as declared
   */
  void addOption(FieldPath field, String option, Sentence message) {
    add(Kind.VALUE, field, Optional.of(option), message);
  }

  /** Adds a problem with a text that is not a JVM option. */
  void addNoOption(FieldPath field, String option, Sentence message) {
    add(Kind.NO_OPTION, field, Optional.of(option), message);
  }

  private void add(Kind kind, FieldPath field, Optional<String> option, Sentence message) {
    all.add(
        new PlanProblem(names.of(field), message.text(names), kind, Optional.of(field), option));
  }

  int count() {
    return all.size();
  }

  List<PlanProblem> all() {
    return List.copyOf(all);
  }
}
