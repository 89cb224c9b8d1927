/** What may restart next, and what must hold first. Pure decisions. */
package io.offheap.hbase.operator.rollout;
