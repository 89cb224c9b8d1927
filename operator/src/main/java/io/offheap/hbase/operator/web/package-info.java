/** What the operator itself answers over HTTP. */
package io.offheap.hbase.operator.web;
