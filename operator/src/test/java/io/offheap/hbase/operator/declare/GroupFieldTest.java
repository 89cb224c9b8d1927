package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.FieldRange;
import org.junit.jupiter.api.Test;

class GroupFieldTest {
  @Test
  void hasEachFieldByItsNameInTheResource() {
    assertThat(GroupField.all())
        .contains(
            new GroupField("replicas", Integer.class),
            new GroupField("disk", RegionServersSpec.Disk.class),
            new GroupField("memory.heap", Quantity.class),
            new GroupField("resources.limits.ephemeral-storage", Quantity.class),
            new GroupField("blockCache.file.persistent", Boolean.class))
        .extracting(GroupField::path)
        .doesNotHaveDuplicates()
        .doesNotContain("resources.limits.memory");
  }

  @Test
  void rangesAreOfFieldsThatExist() {
    assertThat(GroupField.all())
        .extracting(GroupField::path)
        .containsAll(FieldRange.ALL.stream().map(FieldRange::field).toList());
  }
}
