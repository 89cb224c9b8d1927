package io.offheap.hbase.operator.plan;

/**
 * Why a resource gives no plan.
 *
 * @param field path of the field to change
 * @param message the value, what is wrong with it and what would be right
 */
public record PlanProblem(String field, String message) {
  @Override
  public String toString() {
    return field + ": " + message;
  }
}
