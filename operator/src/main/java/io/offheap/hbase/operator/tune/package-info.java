/**
 * Rules that propose changes from metrics, and the trial of each change. Pure: no Kubernetes, no
 * HBase, no clock, no network.
 */
package io.offheap.hbase.operator.tune;
