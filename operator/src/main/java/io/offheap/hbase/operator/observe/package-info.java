/** Observations of a cluster's pods and its HBase. Nothing is decided or written here. */
package io.offheap.hbase.operator.observe;
