/** How the operator does with many clusters, on an API server whose nodes are simulated. */
package io.offheap.hbase.e2e.scale;
