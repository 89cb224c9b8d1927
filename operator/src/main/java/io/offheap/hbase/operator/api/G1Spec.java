package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** Values of a garbage collection log, which the plan cannot derive. */
@ValidationRule(
    value = "!has(self.survivorSize) || isQuantity(string(self.survivorSize))",
    fieldPath = ".survivorSize",
    messageExpression =
        "'g1.survivorSize is ' + string(self.survivorSize) + '; must be a quantity, for example"
            + " 52Mi'",
    message = "g1.survivorSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record G1Spec(
    @ByteRange(min = "0", max = "4Ti")
        @JsonPropertyDescription(
            "Bytes that survive their first young collection, age 1 in the GC log: SurvivorRatio is"
                + " the largest up to 8 that has room for them.")
        Quantity survivorSize) {}
