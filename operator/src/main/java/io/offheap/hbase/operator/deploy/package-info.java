/** One small class for each kind of Kubernetes object that a cluster is made of. */
package io.offheap.hbase.operator.deploy;
