/** Commands that plan, check and render without Kubernetes. Uses only the pure core. */
package io.offheap.hbase.operator.cli;
