package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.declare.GroupPlan;
import java.util.Optional;

/**
 * A plan with what is advised for its load.
 *
 * @param plan the plan
 * @param advice the mode of the block cache; empty where no load is given
 */
record AdvisedPlan(GroupPlan plan, Optional<AdviceDocument> advice) {}
