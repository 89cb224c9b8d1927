package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Where HBase keeps its files. */
@ValidationRule(
    value = "has(self.managedHdfs) != has(self.external)",
    messageExpression =
        "has(self.managedHdfs) ? 'spec.storage has both managedHdfs and external; exactly one of them is"
            + " right' : 'spec.storage has neither managedHdfs nor external; exactly one of them is"
            + " right'",
    message = "spec.storage must have exactly one of managedHdfs and external")
@ValidationRule(
    value = "has(self.managedHdfs) == has(oldSelf.managedHdfs)",
    message =
        "spec.storage cannot change between managedHdfs and external: the data would be left"
            + " behind; make a new HBaseCluster instead")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StorageSpec(
    @JsonPropertyDescription("An HDFS that the operator runs.") ManagedHdfs managedHdfs,
    @JsonPropertyDescription("An HDFS that exists.") External external) {

  /**
   * An HDFS run by the operator, with one name node: for development and small clusters. Where an
   * hour without the name node is too long, use an external HDFS with two.
   */
  @ValidationRule(
      value = "has(self.storage) == has(oldSelf.storage)",
      message =
          "spec.storage.managedHdfs.storage cannot be added or left out later: a StatefulSet's"
              + " claims are fixed when it is made")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ManagedHdfs(
      @Default("1") @Min(1) @Max(1000) @JsonPropertyDescription("Data nodes.") Integer dataNodes,
      @Default("1") @Min(1) @Max(512) @JsonPropertyDescription("Copies of each HDFS block.")
          Integer replication,
      @JsonPropertyDescription("Volume of each name node and data node.") VolumeSpec storage) {

    /** Fills in what was left out. */
    public ManagedHdfs {
      dataNodes = dataNodes == null ? 1 : dataNodes;
      replication = replication == null ? 1 : replication;
      storage = storage == null ? VolumeSpec.ofSize("10Gi") : storage;
    }
  }

  /** An HDFS run by others. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record External(
      @Required
          @Pattern("^[a-z0-9]+://[^\\s]+$")
          @JsonPropertyDescription("hbase.rootdir, for example hdfs://ns/hbase.")
          String rootDir,
      @JsonPropertyDescription(
              "Config maps with core-site.xml and hdfs-site.xml of that HDFS, in the cluster's"
                  + " namespace.")
          List<@Pattern("^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$") String> configMapRefs) {

    /** Fills in what was left out. */
    public External {
      configMapRefs = configMapRefs == null ? List.of() : List.copyOf(configMapRefs);
    }
  }
}
