package io.offheap.hbase.operator.plan;

/**
 * One part of the container's memory. All items of a plan add up to its container memory.
 *
 * @param item what takes it
 * @param bytes how much at the most
 */
public record BudgetItem(String item, long bytes) {}
