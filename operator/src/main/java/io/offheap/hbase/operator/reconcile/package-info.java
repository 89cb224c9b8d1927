/** The reconciler and the parts of a reconciliation: they apply, write, restart and remember. */
package io.offheap.hbase.operator.reconcile;
