package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** HBase's ByteBuffAllocator, the pool that HFile blocks are read into. */
@ValidationRule(
    value = "!has(self.poolSize) || isQuantity(string(self.poolSize))",
    fieldPath = ".poolSize",
    messageExpression =
        "'allocator.poolSize is ' + string(self.poolSize) + '; must be a quantity, for example 64Mi'",
    message = "allocator.poolSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AllocatorSpec(
    @ByteRange(min = "1Mi", max = "64Ti")
        @JsonPropertyDescription(
            "Bytes of the pool; as many buffers as fit. Derived from the handlers where left out.")
        Quantity poolSize,
    @Min(0)
        @Max(67108864)
        @JsonPropertyDescription(
            "Requests below this many bytes come from the heap:"
                + " hbase.server.allocator.minimal.allocate.size. Derived where left out.")
        Integer minimalAllocateSize) {}
