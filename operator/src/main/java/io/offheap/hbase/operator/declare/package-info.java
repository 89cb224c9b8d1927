/** The custom resource as the planner's input. */
package io.offheap.hbase.operator.declare;
