package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;

/** The plans of all groups of a resource, or all reasons why there are none. */
public sealed interface ClusterPlan {
  /**
   * Each group has a plan.
   *
   * @param groups the default group first
   */
  record Planned(List<GroupPlan> groups) implements ClusterPlan {
    public Planned {
      groups = List.copyOf(groups);
    }
  }

  /** All reasons why a group has no plan; never empty. */
  record Refused(List<PlanProblem> problems) implements ClusterPlan {
    public Refused {
      problems = List.copyOf(problems);
    }
  }
}
