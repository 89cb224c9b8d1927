/** The running HBase, as it speaks of itself. */
package io.offheap.hbase.operator.hbase;
