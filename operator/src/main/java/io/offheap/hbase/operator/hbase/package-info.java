/** Reads the state of a running HBase and sends commands to it. */
package io.offheap.hbase.operator.hbase;
