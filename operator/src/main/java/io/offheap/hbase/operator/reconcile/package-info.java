/** Observes, builds the model of a pass, and hands it to the rest. */
package io.offheap.hbase.operator.reconcile;
