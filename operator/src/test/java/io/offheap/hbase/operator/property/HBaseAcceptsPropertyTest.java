package io.offheap.hbase.operator.property;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.proof.HBaseStart;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

/** A region server starts with every plan, by HBase's start-up code. */
@Domain(Resources.class)
class HBaseAcceptsPropertyTest {
  @Property
  @Slow
  void planPassesStartUpCodeOfHBase(@ForAll Resource resource) throws Exception {
    HBaseStart.check(resource.plan());
  }
}
