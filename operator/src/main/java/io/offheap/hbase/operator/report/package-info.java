/** Events, metrics and logs of the operator. It decides nothing. */
package io.offheap.hbase.operator.report;
