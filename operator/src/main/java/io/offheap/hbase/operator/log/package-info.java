/** What people read of the operator in its log. */
package io.offheap.hbase.operator.log;
