package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonValue;

/** Published sets of values for region servers, by the name of the publication. */
public enum Profile {
  /** "HBase practice at Xiaomi", the test cluster after its tuning: 30 GiB + 30 GiB. */
  XIAOMI("Xiaomi"),
  /** "HBase practice at Xiaomi", the production clusters: 50 GiB + 50 GiB. */
  XIAOMI_CLUSTER("Xiaomi-Cluster"),
  /** HBASE-21879, best practice with a bucket cache. */
  HBASE_21879("HBase-21879"),
  /** HBASE-21879, best practice without a block cache. */
  HBASE_21879_NO_CACHE("HBase-21879-No-Cache"),
  /** "Offheap read path in production": 9 GiB of heap, 105 GiB off-heap. */
  OFFHEAP_READ_PATH("Offheap-Read-Path");

  private final String text;

  Profile(String text) {
    this.text = text;
  }

  /** The name in a resource. */
  @JsonValue
  public String text() {
    return text;
  }
}
