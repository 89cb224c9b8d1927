package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** The ZooKeeper ensemble that the cluster uses. */
@ValidationRule(
    value = "has(self.managed) != has(self.external)",
    messageExpression =
        "has(self.managed) ? 'spec.zookeeper has both managed and external; must have exactly"
            + " one of them' : 'spec.zookeeper has neither managed nor external; must have exactly"
            + " one of them'",
    message = "spec.zookeeper must have exactly one of managed and external")
@ValidationRule(
    value = "has(self.managed) == has(oldSelf.managed)",
    message =
        "spec.zookeeper cannot change between managed and external: the cluster's identity is kept"
            + " there; make a new HBaseCluster instead")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ZooKeeperSpec(
    @JsonPropertyDescription("An ensemble that the operator runs.") Managed managed,
    @JsonPropertyDescription("An ensemble that exists.") External external) {

  /** An ensemble run by the operator, for development and small clusters. */
  @ValidationRule(
      value = "self.replicas != 2",
      fieldPath = ".replicas",
      message =
          "spec.zookeeper.managed.replicas is 2; must be 1 or 3: two servers survive no failure"
              + " that one does not")
  @ValidationRule(
      value = "self.replicas != 4",
      fieldPath = ".replicas",
      message =
          "spec.zookeeper.managed.replicas is 4; must be 3 or 5: four servers survive no failure"
              + " that three do not")
  @ValidationRule(
      value = "self.replicas == oldSelf.replicas",
      fieldPath = ".replicas",
      message =
          "spec.zookeeper.managed.replicas cannot change: every server's configuration names the"
              + " whole ensemble")
  @ValidationRule(
      value =
          "isQuantity(string(self.heap)) && quantity(string(self.heap)).compareTo(quantity('64Mi'))"
              + " >= 0 && quantity(string(self.heap)).compareTo(quantity('4Ti')) <= 0",
      fieldPath = ".heap",
      messageExpression = "'heap is ' + string(self.heap) + '; must be from 64Mi to 4Ti'",
      message = "heap must be from 64Mi to 4Ti")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Managed(
      @Default("1")
          @Min(1)
          @Max(5)
          @JsonPropertyDescription("Servers: 1, 3 or 5; fixed once the cluster exists.")
          Integer replicas,
      @Default("{\"size\":\"1Gi\"}") @JsonPropertyDescription("Volume of each server.")
          VolumeSpec storage,
      @Default("256Mi")
          @JsonPropertyDescription(
              "Heap of each server. The container's memory follows: a quarter more and 256Mi.")
          Quantity heap,
      @Size(max = 500)
          @JsonPropertyDescription(
              "Further properties of zoo.cfg. One that the operator depends on is refused.")
          Map<String, @Size(max = 8192) String> config,
      @JsonPropertyDescription(
              "Another image of HBase's repository; of another repository, once HBase has served"
                  + " with that. Left out, the pods have the last one declared here that a pod has"
                  + " served with, or that of HBase when the cluster was made. A change restarts the"
                  + " pods, one at a time.")
          InfrastructureImage image,
      @PodTemplate
          @JsonPropertyDescription(
              "Metadata and spec of the pods, as in regionServers. The container zookeeper is the"
                  + " operator's. A change restarts the pods, one at a time.")
          JsonNode podTemplate) {
    private static final String DEFAULT_HEAP = "256Mi";

    /** Applies the defaults, and leaves out what newer fields have by default. */
    public Managed {
      replicas = replicas == null ? 1 : replicas;
      storage = storage == null ? VolumeSpec.ofSize("1Gi") : storage;
      // As text: what is no quantity is refused later, and comparing it as one would fail.
      heap = DEFAULT_HEAP.equals(String.valueOf(heap)) ? null : heap;
      config = config == null || config.isEmpty() ? null : Map.copyOf(config);
    }

    /** The heap, declared or not. */
    public Quantity effectiveHeap() {
      return heap == null ? Quantity.parse(DEFAULT_HEAP) : heap;
    }
  }

  /** An ensemble run by others. */
  @ValidationRule(
      value = "self.quorum == oldSelf.quorum",
      fieldPath = ".quorum",
      messageExpression =
          "'spec.zookeeper.external.quorum is ' + self.quorum + '; must be ' + oldSelf.quorum + ':"
              + " servers that restart would register where the others do not look; keep the"
              + " ensemble reachable by these names, or make a new HBaseCluster'",
      message = "spec.zookeeper.external.quorum cannot change; make a new HBaseCluster instead")
  @ValidationRule(
      value = "self.znodeParent == oldSelf.znodeParent",
      fieldPath = ".znodeParent",
      messageExpression =
          "'spec.zookeeper.external.znodeParent is ' + self.znodeParent + '; must be ' +"
              + " oldSelf.znodeParent + ': servers that restart would register where the"
              + " others do not look; make a new HBaseCluster instead'",
      message =
          "spec.zookeeper.external.znodeParent cannot change; make a new HBaseCluster instead")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record External(
      @Required
          @Size(max = 4096)
          @Pattern("^[^\\s,:/]+(:[0-9]{1,5})?(,[^\\s,:/]+(:[0-9]{1,5})?)*$")
          @JsonPropertyDescription(
              "Comma-separated host:port list, as hbase.zookeeper.quorum; fixed.")
          String quorum,
      @Default("/hbase")
          @Size(max = 255)
          @Pattern("^/[^\\s]+$")
          @JsonPropertyDescription("The cluster's znode, as zookeeper.znode.parent; fixed.")
          String znodeParent) {

    /** Applies the defaults. */
    public External {
      znodeParent = znodeParent == null ? "/hbase" : znodeParent;
    }
  }
}
