package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.MemoryPlan;

/**
 * A group of region servers with its plan.
 *
 * @param group the group
 * @param plan its plan
 */
public record GroupPlan(ServerGroup group, MemoryPlan plan) {}
