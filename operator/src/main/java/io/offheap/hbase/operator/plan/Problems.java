package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.PlanProblem.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why there is no plan, as far as a derivation has come. */
final class Problems {
  private final List<PlanProblem> all = new ArrayList<>();
  private final FieldNames names;

  Problems(FieldNames names) {
    this.names = names;
  }

  /**
   * Adds one.
   *
   * @param field the field to change
   * @param message the value, what is wrong with it and what it must be
   */
  void add(FieldPath field, Sentence message) {
    add(Kind.VALUE, field, Optional.empty(), message);
  }

  /** Adds one with a value that is another than the one that follows from the rest. */
  void addOtherThanDerived(FieldPath field, Sentence message) {
    add(Kind.OTHER_THAN_DERIVED, field, Optional.empty(), message);
  }

  /**
   * Adds one with the text of a JVM option.
   *
   * @param option as it was declared
   */
  void addOption(FieldPath field, String option, Sentence message) {
    add(Kind.VALUE, field, Optional.of(option), message);
  }

  /** Adds one with a text that is no JVM option. */
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
