package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.MemoryPlan;

/**
 * A group of region servers with its plan.
 *
 * @param group the group
 * @param plan what follows from its memory
 */
public record GroupPlan(ServerGroup group, MemoryPlan plan) {}
