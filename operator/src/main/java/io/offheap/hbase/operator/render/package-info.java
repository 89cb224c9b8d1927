/** Plans and addresses to the files that a pod is started with. Pure. */
package io.offheap.hbase.operator.render;
