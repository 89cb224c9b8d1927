/** What the operator does, for people and for Prometheus. It decides nothing. */
package io.offheap.hbase.operator.report;
