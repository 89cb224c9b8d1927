/** The whole way on a real Kubernetes with real HBase pods. */
package io.offheap.hbase.e2e;
