package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** The declared state of a cluster. */
@ValidationRule(
    value =
        "!has(self.regionServerGroups) || self.regionServerGroups.all(it, it.name != 'default' &&"
            + " self.regionServerGroups.exists_one(other, other.name == it.name))",
    fieldPath = ".regionServerGroups",
    message =
        "spec.regionServerGroups must each have a name of its own, and not 'default', which is"
            + " that of spec.regionServers")
@ValidationRule(
    value =
        "!has(self.regionServerGroups) || self.regionServerGroups.all(it, !(it.name in ['client',"
            + " 'datanode', 'master', 'namenode', 'regionserver', 'zookeeper']))",
    fieldPath = ".regionServerGroups",
    message =
        "spec.regionServerGroups must not be named client, datanode, master, namenode, regionserver"
            + " or zookeeper: another cluster's objects may have these names")
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record HBaseClusterSpec(
    @JsonPropertyDescription("Image of every pod. What is left out is the operator's default.")
        ImageSpec image,
    @Required @JsonPropertyDescription("ZooKeeper: exactly one of managed and external.")
        ZooKeeperSpec zookeeper,
    @Required @JsonPropertyDescription("HDFS: exactly one of managed and external.")
        StorageSpec storage,
    @JsonPropertyDescription("HBase masters.") MastersSpec masters,
    @Required @JsonPropertyDescription("The default group of region servers.")
        RegionServersSpec regionServers,
    // The limit of the API server: it estimates the cost of all rules for every possible group.
    @Size(max = 5)
        @JsonPropertyDescription(
            "Further groups of region servers. What a group leaves out it takes from regionServers,"
                + " except replicas; memory is taken whole or not at all, and so is blockCache"
                + " where its mode differs.")
        List<RegionServerGroupSpec> regionServerGroups,
    @JsonPropertyDescription("How servers are restarted.") RolloutSpec rollout,
    @JsonPropertyDescription("How region servers are tuned by their own metrics.")
        TuningSpec tuning,
    @JsonPropertyDescription("Who may connect to the cluster's pods.")
        NetworkPolicySpec networkPolicy,
    @JsonPropertyDescription("The configuration that clients mount.") ClientsSpec clients,
    @JsonPropertyDescription(
            "HBase's own web pages. They authenticate no user: none are served unless"
                + " declared here.")
        WebPagesSpec webPages) {

  /** Applies the schema's defaults, as the API server does. */
  public HBaseClusterSpec {
    masters = masters == null ? new MastersSpec(null, null, null, null) : masters;
    regionServerGroups = regionServerGroups == null ? List.of() : List.copyOf(regionServerGroups);
    rollout = rollout == null ? RolloutSpec.ofDefaults() : rollout;
    tuning = tuning == null ? TuningSpec.ofDefaults() : tuning;
    networkPolicy = networkPolicy == null ? NetworkPolicySpec.ofDefaults() : networkPolicy;
  }

  /** HBase's own web pages that are served; none where nothing is declared. */
  public WebPagesSpec servedPages() {
    return webPages == null ? new WebPagesSpec(false, false, List.of()) : webPages;
  }
}
