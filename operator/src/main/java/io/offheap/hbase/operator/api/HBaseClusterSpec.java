package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** What a person declares. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HBaseClusterSpec(
    @JsonPropertyDescription("Image of every pod. What is left out is the operator's default.")
        ImageSpec image,
    @Required @JsonPropertyDescription("ZooKeeper: exactly one of managed and external.")
        ZooKeeperSpec zookeeper,
    @Required @JsonPropertyDescription("HDFS: exactly one of managedHdfs and external.")
        StorageSpec storage,
    @JsonPropertyDescription("HBase masters.") MastersSpec masters,
    @Required @JsonPropertyDescription("Region servers.") RegionServersSpec regionServers) {

  /** Fills in what was left out, as the API server does from the schema's defaults. */
  public HBaseClusterSpec {
    masters = masters == null ? new MastersSpec(null, null) : masters;
  }
}
