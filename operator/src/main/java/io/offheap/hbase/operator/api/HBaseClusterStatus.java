package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;

/**
 * The observed state and the decisions of the operator. It is also the operator's stored state; the
 * part that must outlive the resource is in a config map too.
 *
 * <p>Fields of other versions are ignored: Helm does not update an installed definition, so the API
 * server may return fields that another operator version has written.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record HBaseClusterStatus(
    @JsonPropertyDescription("Generation of the spec that this status is for.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "Ready, Planned, Progressing, RolledBack, TablesFit, CacheModeFits, Tuned,"
                + " ResponsesRefused.")
        List<Condition> conditions,
    @StatusReplicas @JsonPropertyDescription("Region server pods that exist.") Integer replicas,
    @LabelSelector @JsonPropertyDescription("Selects the region server pods, for autoscalers.")
        String selector,
    @JsonPropertyDescription("Region servers of all groups that serve.") Integer readyServers,
    @JsonPropertyDescription("Region servers of all groups that are declared.")
        Integer desiredServers,
    @JsonPropertyDescription("Each region server pod.") List<RegionServer> regionServers,
    @JsonPropertyDescription(
            "The plan of the default group that is applied: the last one that was not refused.")
        MemoryPlanStatus memoryPlan,
    @JsonPropertyDescription("The further groups of region servers.") List<Group> groups,
    @JsonPropertyDescription(
            "Data of the running cluster that the plans depend on beside the spec.")
        LiveStatus live,
    @JsonPropertyDescription(
            "The spec that is applied: the last one that was not refused. One that is refused"
                + " changes nothing that runs. As JSON, but for its image.")
        @SchemaFrom(type = JsonNode.class)
        @JsonSerialize(using = SpecText.Writer.class)
        @JsonDeserialize(using = SpecText.Reader.class)
        HBaseClusterSpec appliedSpec,
    @JsonPropertyDescription(
            "Images that the cluster keeps where the resource declares none, so that another"
                + " operator version restarts nothing.")
        Images images,
    @JsonPropertyDescription(
            "What all region servers last served with; a change that makes things"
                + " worse is rolled back to it.")
        LastGood lastGood,
    @JsonPropertyDescription("The rollout that is under way.") RolloutStatus rollout,
    @JsonPropertyDescription("The last rollout that is over.") RolloutStatus.Finished lastRollout,
    @JsonPropertyDescription("Changes that were rolled back, until the spec is another.")
        List<RolloutStatus.RolledBack> rolledBack,
    @JsonPropertyDescription(
            "What groups are known to serve with: all of their servers did, or their canary did"
                + " and was compared. What is declared and is not here is proven by a canary, also"
                + " where another client replaced a pod.")
        List<RolloutStatus.Proven> proven,
    @JsonPropertyDescription(
            "State of tuning; absent while tuning has done nothing and waits for servers to run the"
                + " plan.")
        TuningStatus tuning) {

  /** The status before the first reconciliation. */
  public static HBaseClusterStatus empty() {
    return new HBaseClusterStatusBuilder().build();
  }

  /** A builder with the fields of this status. */
  public HBaseClusterStatusBuilder toBuilder() {
    return new HBaseClusterStatusBuilder()
        .observedGeneration(observedGeneration)
        .conditions(conditions)
        .replicas(replicas)
        .selector(selector)
        .servers(readyServers, desiredServers)
        .regionServers(regionServers)
        .memoryPlan(memoryPlan)
        .groups(groups)
        .live(live)
        .appliedSpec(appliedSpec)
        .images(images)
        .lastGood(lastGood)
        .rollout(rollout)
        .lastRollout(lastRollout)
        .rolledBack(rolledBack)
        .proven(proven)
        .tuning(tuning);
  }

  /** This status with other conditions. */
  public HBaseClusterStatus withConditions(List<Condition> others) {
    return toBuilder().conditions(others).build();
  }

  /** This status with other fields that decide what is applied. */
  public HBaseClusterStatus remembering(
      LiveStatus ofTables,
      Images ofPods,
      LastGood good,
      List<RolloutStatus.RolledBack> back,
      List<RolloutStatus.Proven> others,
      TuningStatus tuned) {
    return toBuilder()
        .live(ofTables)
        .images(ofPods)
        .lastGood(good)
        .rolledBack(back)
        .proven(others)
        .tuning(tuned)
        .build();
  }

  /** Images that the cluster keeps where the resource declares none. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Images(
      @JsonPropertyDescription("The operator's default when the cluster was made.")
          String defaultImage,
      @JsonPropertyDescription(
              "Image of the managed ZooKeeper and HDFS: that with which they were made, since"
                  + " another HBase is no reason for another HDFS.")
          String infrastructure,
      @JsonPropertyDescription(
              "Image of the managed ZooKeeper, once a pod has served with another one.")
          String zookeeper,
      @JsonPropertyDescription(
              "Image of the managed HDFS, once the name node has served with another one.")
          String hdfs) {
    /** Images of a cluster that declares none for ZooKeeper and HDFS. */
    public Images(String defaultImage, String infrastructure) {
      this(defaultImage, infrastructure, null, null);
    }
  }

  /**
   * What all region servers last served with; null where they never have. Use this accessor: the
   * field is empty where it would repeat {@code appliedSpec} and {@code live}.
   */
  public LastGood good() {
    return lastGood != null && Boolean.TRUE.equals(lastGood.applied())
        ? new LastGood(null, appliedSpec, live)
        : lastGood;
  }

  /** What all region servers last served with. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LastGood(
      @JsonPropertyDescription(
              "Whether it is what is applied: appliedSpec and live. Then it has nothing else.")
          Boolean applied,
      @JsonPropertyDescription("The spec, as JSON, but for its image.")
          @SchemaFrom(type = JsonNode.class)
          @JsonSerialize(using = SpecText.Writer.class)
          @JsonDeserialize(using = SpecText.Reader.class)
          HBaseClusterSpec spec,
      @JsonPropertyDescription("Data of the running cluster that its plans depended on.")
          LiveStatus live) {
    /** A spec, and the data of the running cluster. */
    public LastGood(HBaseClusterSpec spec, LiveStatus live) {
      this(null, spec, live);
    }

    /** A reference to the applied spec. */
    public static LastGood ofApplied() {
      return new LastGood(true, null, null);
    }
  }

  /** A region server as the operator sees it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RegionServer(
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("HBase's server name: host, port and start code.") String serverName,
      @JsonPropertyDescription("Hash of the plan that the pod was started with.") String planHash,
      @JsonPropertyDescription("Regions that it serves, by its own report.") Integer regions,
      @JsonPropertyDescription("Serving, Starting, Outdated, Draining or Stopping.") State state) {

    /** The state of a region server. */
    public enum State {
      Starting,
      Serving,
      Outdated,
      Draining,
      Stopping
    }
  }

  /** A further group of region servers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Group(
      @JsonPropertyDescription("Name.") String name,
      @JsonPropertyDescription("Its region servers that serve.") Integer readyServers,
      @JsonPropertyDescription("Its region servers that are declared.") Integer desiredServers,
      @JsonPropertyDescription("Its plan that is applied.") MemoryPlanStatus memoryPlan) {}

  /** Data of the running cluster that the plans depend on. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LiveStatus(
      @JsonPropertyDescription("Generation of the spec since which this was gathered.")
          Long generation,
      @JsonPropertyDescription(
              "The column families with the largest block reads; one that was seen stays until the"
                  + " spec changes, so that a plan does not change with each sample.")
          List<Table> tables,
      @JsonPropertyDescription(
              "Store files of a region server in bytes, rounded up to a power of two: the working"
                  + " set where none is declared.")
          Long workingSet,
      @JsonPropertyDescription("Values that tuning chose, by group.")
          List<TuningStatus.GroupValues> tuned) {}

  /** The blocks of a column family. */
  public record Table(
      @JsonPropertyDescription("Table and column family.") String name,
      @JsonPropertyDescription("BLOCKSIZE.") long blockSize,
      @JsonPropertyDescription("Its own size of index blocks, 0 where it has none.")
          long indexBlockSize,
      @JsonPropertyDescription("Its own size of bloom filter blocks, 0 where it has none.")
          long bloomBlockSize,
      @JsonPropertyDescription(
              "Largest common cell of a sample, rounded up to 256; 0 where none is over 939, which"
                  + " HBase's own buffer allows for.")
          long cellSize) {}

  /** A memory plan; the config map {@code NAME-plan} has each value with its reason. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record MemoryPlanStatus(
      @JsonPropertyDescription("Changes when a value changes.") String hash,
      @JsonPropertyDescription("The heap of a region server.") String heap,
      @JsonPropertyDescription("The direct memory of a region server.") String offHeap,
      @JsonPropertyDescription("The memory of its container.") String container,
      @JsonPropertyDescription(
              "The plan as the operator applies it again while the spec is refused, as JSON:"
                  + " target, key and value of each setting, and who decided it where no formula"
                  + " did; the parts of the container's memory in bytes.")
          String values) {}
}
