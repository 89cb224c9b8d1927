package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/**
 * A persistent volume claim of each region server for its bucket cache. Its data can be read again,
 * so it is deleted with its cluster.
 */
@ValidationRule(
    value =
        "isQuantity(string(self.size)) && quantity(string(self.size)).isGreaterThan(quantity('0'))",
    fieldPath = ".size",
    messageExpression =
        "'storage.size is ' + string(self.size) + '; must be a quantity over 0, for example 100Gi'",
    message = "storage.size must be a quantity over 0")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CacheVolumeSpec(
    @ByteRange(min = "64Mi", max = "64Ti")
        @Required
        @JsonPropertyDescription("Size of the claim; fixed once the group exists.")
        Quantity size,
    @JsonPropertyDescription("Storage class; the cluster's default where left out.")
        String storageClassName) {}
