/** The reconciler and its passes: what a pass applies, writes, restarts and remembers. */
package io.offheap.hbase.operator.reconcile;
