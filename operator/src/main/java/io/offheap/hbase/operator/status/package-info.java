/** What status has, and what follows from it: each part is read and written at one place. */
package io.offheap.hbase.operator.status;
