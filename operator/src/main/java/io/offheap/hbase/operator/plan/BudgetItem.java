package io.offheap.hbase.operator.plan;

/**
 * One part of the container's memory. All items of a plan add up to its container memory.
 *
 * @param item the user of the memory
 * @param bytes the most that it takes
 */
public record BudgetItem(String item, long bytes) {}
