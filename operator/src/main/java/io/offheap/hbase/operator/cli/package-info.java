/** The same plan offline, for people without Kubernetes. Uses the pure core only. */
package io.offheap.hbase.operator.cli;
