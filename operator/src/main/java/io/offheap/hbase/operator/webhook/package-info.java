/** Receives alerts from Alertmanager over HTTP. */
package io.offheap.hbase.operator.webhook;
