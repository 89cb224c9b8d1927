/** Renders plans and addresses to the files with which a pod is started. Pure. */
package io.offheap.hbase.operator.render;
