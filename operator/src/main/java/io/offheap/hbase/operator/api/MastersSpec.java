package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** HBase masters; one is active, the others stand by. */
@ValidationRule(
    value =
        "isQuantity(string(self.heap)) && quantity(string(self.heap)).compareTo(quantity('128Mi'))"
            + " >= 0 && quantity(string(self.heap)).compareTo(quantity('4Ti')) <= 0",
    fieldPath = ".heap",
    messageExpression =
        "'spec.masters.heap is ' + string(self.heap) + '; must be from 128Mi to 4Ti'",
    message = "spec.masters.heap must be from 128Mi to 4Ti")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MastersSpec(
    @Default("1") @Min(1) @Max(9) @JsonPropertyDescription("Masters.") Integer replicas,
    @Default("1Gi") @JsonPropertyDescription("Heap of each master.") Quantity heap,
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hbase-site.xml properties of the masters. One that the operator sets is"
                + " refused.")
        Map<String, @Size(max = 8192) String> config,
    @PodTemplate
        @JsonPropertyDescription(
            "Metadata and spec of the pods, as in regionServers. The container master is the"
                + " operator's.")
        JsonNode podTemplate) {

  /** Applies the defaults. */
  public MastersSpec {
    replicas = replicas == null ? 1 : replicas;
    heap = heap == null ? Quantity.parse("1Gi") : heap;
    config = config == null || config.isEmpty() ? null : Map.copyOf(config);
  }
}
