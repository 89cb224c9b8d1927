/** Checks the custom resource and converts it to the planner's input. */
package io.offheap.hbase.operator.declare;
