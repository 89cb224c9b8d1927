package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Where HBase keeps its files. */
@ValidationRule(
    value = "has(self.managed) != has(self.external)",
    messageExpression =
        "has(self.managed) ? 'spec.storage has both managed and external; must have exactly"
            + " one of them' : 'spec.storage has neither managed nor external; must have"
            + " exactly one of them'",
    message = "spec.storage must have exactly one of managed and external")
@ValidationRule(
    value = "has(self.managed) == has(oldSelf.managed)",
    message =
        "spec.storage cannot change between managed and external: the data would be left"
            + " behind; make a new HBaseCluster instead")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StorageSpec(
    @JsonPropertyDescription("An HDFS that the operator runs.") Managed managed,
    @JsonPropertyDescription("An HDFS that exists.") External external) {

  /**
   * An HDFS run by the operator, with one name node: for development and small clusters. Where an
   * hour without the name node is too long, use an external HDFS with two.
   */
  @ValidationRule(
      value = "self.dataNodes >= oldSelf.dataNodes",
      fieldPath = ".dataNodes",
      message =
          "spec.storage.managed.dataNodes cannot become fewer: a data node that leaves takes"
              + " its blocks with it, and the operator does not decommission one")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Managed(
      @Default("1")
          @Min(1)
          @Max(1000)
          @JsonPropertyDescription("Data nodes; more may be added, none removed.")
          Integer dataNodes,
      @Min(1)
          @Max(512)
          @JsonPropertyDescription(
              "Copies of each HDFS block; the smaller of 3 and dataNodes where left out. Files that"
                  + " exist keep theirs.")
          Integer replication,
      @Default("{\"size\":\"10Gi\"}")
          @JsonPropertyDescription("Volume of each name node and data node.")
          VolumeSpec storage,
      @Default("{\"heap\":\"512Mi\"}") @JsonPropertyDescription("The name node.")
          HdfsServerSpec nameNode,
      @Default("{\"heap\":\"512Mi\"}") @JsonPropertyDescription("Each data node.")
          HdfsServerSpec dataNode,
      @JsonPropertyDescription(
              "Another image of HBase's repository; of another repository, once HBase has served"
                  + " with that. Left out, the pods have the last one declared here that the name"
                  + " node has served with, or that of HBase when the cluster was made. A change"
                  + " restarts the pods, one at a time, the name node first.")
          InfrastructureImage image) {

    /** HDFS's default, where there are as many data nodes. */
    private static final int COPIES = 3;

    /** Applies the defaults. */
    public Managed {
      dataNodes = dataNodes == null ? 1 : dataNodes;
      replication = replication == null ? Math.min(COPIES, dataNodes) : replication;
      storage = storage == null ? VolumeSpec.ofSize("10Gi") : storage;
      nameNode = HdfsServerSpec.declared(nameNode);
      dataNode = HdfsServerSpec.declared(dataNode);
    }
  }

  /** An HDFS run by others. */
  @ValidationRule(
      value = "self.rootDir == oldSelf.rootDir",
      fieldPath = ".rootDir",
      messageExpression =
          "'spec.storage.external.rootDir is ' + self.rootDir + '; must be ' + oldSelf.rootDir + ':"
              + " a master that takes another root finds no tables and skips the edits of servers"
              + " that end; make a new HBaseCluster instead, and bring the tables over by"
              + " snapshots'",
      message = "spec.storage.external.rootDir cannot change; make a new HBaseCluster instead")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record External(
      @Required
          @Size(max = 1024)
          @Pattern("^[a-z0-9]+://[^\\s]+$")
          @JsonPropertyDescription("hbase.rootdir, for example hdfs://ns/hbase; fixed.")
          String rootDir,
      @Size(max = 8)
          @JsonPropertyDescription(
              "Config maps with core-site.xml and hdfs-site.xml of that HDFS, in the cluster's"
                  + " namespace.")
          List<ObjectName> configMapRefs) {

    /** Applies the defaults. */
    public External {
      configMapRefs = configMapRefs == null ? List.of() : List.copyOf(configMapRefs);
    }
  }
}
