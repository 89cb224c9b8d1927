/** The operator's HTTP endpoints: metrics, the runbook and probes. */
package io.offheap.hbase.operator.http;
