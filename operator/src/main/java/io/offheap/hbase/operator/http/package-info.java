/** What the operator answers over HTTP: metrics, the runbook and probes. */
package io.offheap.hbase.operator.http;
