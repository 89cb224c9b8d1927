package io.offheap.hbase.operator.plan;

import java.util.List;

/** Either a plan or all the reasons why there is none. */
public sealed interface PlanResult {
  /** A plan. */
  record Planned(MemoryPlan plan) implements PlanResult {}

  /** The reasons why there is no plan; never empty. */
  record Refused(List<PlanProblem> problems) implements PlanResult {
    public Refused {
      problems = List.copyOf(problems);
    }
  }
}
