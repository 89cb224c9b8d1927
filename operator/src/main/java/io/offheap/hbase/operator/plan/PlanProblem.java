package io.offheap.hbase.operator.plan;

/**
 * Why a resource gives no plan. Both texts are such that a status, an event or a terminal can hold
 * them, whatever was declared.
 *
 * @param field path of the field to change
 * @param message the value, what is wrong with it and what would be right
 */
public record PlanProblem(String field, String message) {
  private static final int LONGEST_FIELD = 500;
  private static final int LONGEST_MESSAGE = 4000;

  public PlanProblem {
    field = Texts.shown(field, LONGEST_FIELD);
    message = Texts.shown(message, LONGEST_MESSAGE);
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
