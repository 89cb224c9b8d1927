package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.PlanProblem;

/** Kinds of the planner's refusals, by how it words them. */
final class Refusals {
  private Refusals() {}

  /** A value that follows from another, or that the plan stands on, was declared to be another. */
  static boolean isOtherThanDerived(PlanProblem problem) {
    var message = problem.message();
    return (message.contains(" contradicts ") && message.contains(", from which "))
        || (message.contains(" is refused, ") && message.contains(" is right: "));
  }

  /** A text among the JVM's options was not known for one. */
  static boolean isNoOption(PlanProblem problem) {
    return problem.message().contains("' is not a JVM option");
  }

  /** Whether it is a JVM option's text that is refused, and not its value. */
  static boolean isAbout(PlanProblem problem, String option) {
    return problem.message().startsWith(option + " ")
        || problem.message().startsWith("'" + option + "' is not a JVM option");
  }
}
