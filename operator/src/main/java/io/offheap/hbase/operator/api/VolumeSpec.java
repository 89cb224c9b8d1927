package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** A persistent volume claim of each pod of a role. */
@ValidationRule(
    value =
        "isQuantity(string(self.size)) && quantity(string(self.size)).isGreaterThan(quantity('0'))",
    fieldPath = ".size",
    messageExpression =
        "'storage.size is ' + string(self.size) + '; must be a quantity over 0, for example 10Gi'",
    message = "storage.size must be a quantity over 0")
@ValidationRule(
    value =
        "self.size == oldSelf.size && has(self.storageClassName) == has(oldSelf.storageClassName)"
            + " && (!has(self.storageClassName) || self.storageClassName =="
            + " oldSelf.storageClassName)",
    message =
        "size and storageClassName of a managed volume cannot change: a StatefulSet's claims are"
            + " fixed when it is made")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VolumeSpec(
    @Required @JsonPropertyDescription("Size of the claim; fixed once the cluster exists.")
        Quantity size,
    @JsonPropertyDescription("Storage class; the cluster's default where left out.")
        String storageClassName,
    @Default("false")
        @JsonPropertyDescription(
            "Whether the claims are deleted with the HBaseCluster. They are kept by default.")
        Boolean deleteClaim) {

  /** Applies the defaults. */
  public VolumeSpec {
    deleteClaim = deleteClaim != null && deleteClaim;
  }

  static VolumeSpec ofSize(String size) {
    return new VolumeSpec(Quantity.parse(size), null, false);
  }
}
