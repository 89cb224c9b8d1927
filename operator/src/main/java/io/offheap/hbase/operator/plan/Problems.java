package io.offheap.hbase.operator.plan;

import java.util.ArrayList;
import java.util.List;

/** Why there is no plan, as far as a derivation has come. */
final class Problems {
  private final List<PlanProblem> all = new ArrayList<>();

  /**
   * Adds one.
   *
   * @param field path of the field to change
   * @param message the value, what is wrong with it and what it must be
   */
  void add(String field, String message) {
    all.add(new PlanProblem(field, message));
  }

  int count() {
    return all.size();
  }

  List<PlanProblem> all() {
    return List.copyOf(all);
  }
}
