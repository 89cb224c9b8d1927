package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes from the plans of one resource to those of another, by group: the document of {@code
 * diff}.
 *
 * @param first changes of the default group, or of the requested one
 * @param groups of the further groups; left out where neither resource has any
 * @param infrastructure roles of ZooKeeper and HDFS that restart, which no plan is of; left out
 *     where none does
 */
record GroupDiffs(
    @JsonUnwrapped PlanDiff first,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<GroupDiff> groups,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> infrastructure) {
  GroupDiffs {
    groups = List.copyOf(groups);
    infrastructure = List.copyOf(infrastructure);
  }

  /** Kinds of changes of a group. */
  enum State {
    same,
    changed,
    added,
    removed
  }

  /**
   * One further group.
   *
   * @param name its name
   * @param state the kind of change
   * @param oldHash left out where it is added
   * @param newHash left out where it is removed
   * @param changes of a group that is in both
   * @param restart whether any change needs the group's region servers to restart
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record GroupDiff(
      String name,
      State state,
      String oldHash,
      String newHash,
      List<PlanDiff.Change> changes,
      boolean restart) {
    GroupDiff {
      changes = List.copyOf(changes);
    }

    private static GroupDiff of(String name, PlanDiff diff) {
      var state = diff.changes().isEmpty() ? State.same : State.changed;
      return new GroupDiff(
          name, state, diff.oldHash(), diff.newHash(), diff.changes(), diff.restart());
    }

    private PlanDiff diff() {
      return new PlanDiff(oldHash, newHash, changes, restart);
    }

    private String table(boolean othersRestart) {
      return switch (state) {
        case same, changed -> DiffTable.of(diff(), othersRestart);
        case added -> "plan " + newHash + "\n\nthe group is added with its region servers\n";
        case removed -> "plan " + oldHash + "\n\nthe group is removed with its region servers\n";
      };
    }
  }

  /**
   * The difference of two resources.
   *
   * @param one plans of the one; the first one of each resource is of the same group
   * @param infrastructure roles of ZooKeeper and HDFS that restart
   */
  static GroupDiffs between(
      List<GroupPlan> one, List<GroupPlan> other, List<String> infrastructure) {
    var groups = new ArrayList<GroupDiff>();
    for (GroupPlan old : one.subList(1, one.size())) {
      var name = old.group().name();
      groups.add(
          find(name, other)
              .map(found -> GroupDiff.of(name, PlanDiff.between(old.plan(), found)))
              .orElseGet(
                  () ->
                      new GroupDiff(
                          name, State.removed, old.plan().hash(), null, List.of(), false)));
    }
    for (GroupPlan added : other.subList(1, other.size())) {
      var name = added.group().name();
      if (find(name, one).isEmpty()) {
        groups.add(new GroupDiff(name, State.added, null, added.plan().hash(), List.of(), false));
      }
    }
    return new GroupDiffs(
        PlanDiff.between(one.get(0).plan(), other.get(0).plan()), groups, infrastructure);
  }

  private static Optional<MemoryPlan> find(String name, List<GroupPlan> plans) {
    return plans.stream()
        .filter(plan -> plan.group().name().equals(name))
        .map(GroupPlan::plan)
        .findFirst();
  }

  /** The difference as a tool's output, with the exit status of {@code diff}. */
  OfflineTool.Output output() {
    boolean same =
        first.changes().isEmpty() && groups.stream().allMatch(it -> it.state() == State.same);
    return new OfflineTool.Output(same ? OfflineTool.DONE : OfflineTool.DIFFERENT, table(), this);
  }

  private String table() {
    boolean othersRestart = !infrastructure.isEmpty();
    var text = new StringBuilder();
    if (!groups.isEmpty()) {
      text.append("group ").append(GroupTitle.DEFAULT).append("\n\n");
    }
    text.append(DiffTable.of(first, othersRestart));
    groups.forEach(
        it ->
            text.append("\ngroup ")
                .append(it.name())
                .append("\n\n")
                .append(it.table(othersRestart)));
    if (othersRestart) {
      text.append("\npods restart for another image of theirs: ")
          .append(String.join(", ", infrastructure))
          .append('\n');
    }
    return text.toString();
  }
}
