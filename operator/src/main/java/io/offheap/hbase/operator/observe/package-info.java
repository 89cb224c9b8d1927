/** What is observed of a cluster's pods and of its HBase. Nothing is decided or written here. */
package io.offheap.hbase.operator.observe;
