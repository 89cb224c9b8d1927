package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/**
 * A server of the HDFS that the operator runs: the name node, or each data node. A declared default
 * equals a field that is left out, so that a default in the schema changes no declaration.
 */
@ValidationRule(
    value =
        "!has(self.heap) || isQuantity(string(self.heap))"
            + " && quantity(string(self.heap)).compareTo(quantity('128Mi')) >= 0"
            + " && quantity(string(self.heap)).compareTo(quantity('4Ti')) <= 0",
    fieldPath = ".heap",
    messageExpression = "'heap is ' + string(self.heap) + '; must be from 128Mi to 4Ti'",
    message = "heap must be from 128Mi to 4Ti")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HdfsServerSpec(
    @Default("512Mi")
        @JsonPropertyDescription(
            "Heap. The container's memory follows: a quarter more and 256Mi, for the name node"
                + " twice, since another process beside it merges its edits.")
        Quantity heap,
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hdfs-site.xml properties of the server. One that the operator sets is"
                + " refused.")
        Map<String, @Size(max = 8192) String> config,
    @PodTemplate
        @JsonPropertyDescription(
            "Metadata and spec of the pods, as in regionServers. The containers namenode,"
                + " checkpoint and datanode are the operator's. A change restarts the pods, one at"
                + " a time.")
        JsonNode podTemplate) {
  private static final String DEFAULT_HEAP = "512Mi";

  /** Normalizes empty fields to null. */
  public HdfsServerSpec {
    // Compared as text: an invalid quantity is refused later, and would fail here.
    heap = DEFAULT_HEAP.equals(String.valueOf(heap)) ? null : heap;
    config = config == null || config.isEmpty() ? null : Map.copyOf(config);
  }

  /** Null for a server with defaults only. */
  static HdfsServerSpec declared(HdfsServerSpec server) {
    return server == null
            || (server.heap() == null && server.config() == null && server.podTemplate() == null)
        ? null
        : server;
  }

  /** The heap of a server. */
  public static Quantity heapOf(HdfsServerSpec server) {
    return server == null || server.heap() == null ? Quantity.parse(DEFAULT_HEAP) : server.heap();
  }
}
