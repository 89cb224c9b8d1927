/** The format of the operator's log. */
package io.offheap.hbase.operator.log;
