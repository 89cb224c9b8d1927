package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.TablesFit;

import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.TableFit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The condition that names the tables whose blocks take more than one buffer. */
public final class TableConditions {
  private TableConditions() {}

  /**
   * Adds the condition if the tables of the cluster were ever read.
   *
   * @param applied the applied plans
   * @param refusal why there is no plan for all tables; empty if there is one
   */
  public static void add(AppliedState applied, List<PlanProblem> refusal, Conditions conditions) {
    if (applied.live().map(LiveStatus::tables).isEmpty()) {
      return;
    }
    var tables = FittedPlans.blocks(applied.live().get());
    var misfits =
        applied.plans().stream().flatMap(group -> misfits(group, tables)).distinct().toList();
    if (misfits.isEmpty() && refusal.isEmpty()) {
      conditions.add(TablesFit, true, Reason.BlocksFit, "every block of a table fits one buffer");
      return;
    }
    var reasons = refusal.stream().map(it -> "no plan holds all of the tables' blocks: " + it);
    conditions.add(
        TablesFit,
        false,
        Reason.BlocksOverBuffer,
        Stream.concat(misfits.stream(), reasons).collect(Collectors.joining("\n")));
  }

  private static Stream<String> misfits(GroupPlan group, List<TableBlocks> tables) {
    var prefix = group.group().isDefault() ? "" : "group " + group.group().name() + ": ";
    return TableFit.misfits(group.plan(), tables).stream().map(it -> prefix + it);
  }
}
