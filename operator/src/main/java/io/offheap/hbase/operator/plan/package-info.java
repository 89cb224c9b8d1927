/**
 * Declared sizes to a {@link io.offheap.hbase.operator.plan.MemoryPlan}. Pure: no Kubernetes, no
 * HBase, no clock, no network.
 */
package io.offheap.hbase.operator.plan;
