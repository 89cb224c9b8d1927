package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageSpecTest {
  @ParameterizedTest
  @CsvSource({
    "managed: {},                                1",
    "'managed: {dataNodes: 1}',                  1",
    "'managed: {dataNodes: 2}',                  2",
    "'managed: {dataNodes: 3}',                  3",
    "'managed: {dataNodes: 4}',                  3",
    "'managed: {dataNodes: 4, replication: 2}',  2",
    "'managed: {dataNodes: 2, replication: 3}',  3",
  })
  void copiesAreThreeOrAsManyAsDataNodesUnlessDeclared(String storage, int copies) {
    var read = Serialization.unmarshal(storage, StorageSpec.class);

    assertThat(read.managed().replication()).isEqualTo(copies);
  }
}
