package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** Memory of one region server: heap and off-heap, or a limit that is shared out. */
@ValidationRule(
    value = "has(self.limit) || has(self.heap) && has(self.offHeap)",
    message =
        "memory must have heap and offHeap, for example 30Gi and 30Gi, or a limit to share out")
@ValidationRule(
    value =
        "!has(self.heap) || [string(self.heap)].all(it, isQuantity(it) &&"
            + " quantity(it).compareTo(quantity('256Mi')) >= 0 &&"
            + " quantity(it).compareTo(quantity('4Ti')) <= 0)",
    fieldPath = ".heap",
    messageExpression = "'memory.heap is ' + string(self.heap) + '; must be from 256Mi to 4Ti'",
    message = "memory.heap must be from 256Mi to 4Ti")
@ValidationRule(
    value =
        "!has(self.offHeap) || [string(self.offHeap)].all(it, isQuantity(it) &&"
            + " quantity(it).compareTo(quantity('16Mi')) >= 0 &&"
            + " quantity(it).compareTo(quantity('64Ti')) <= 0)",
    fieldPath = ".offHeap",
    messageExpression =
        "'memory.offHeap is ' + string(self.offHeap) + '; must be from 16Mi to 64Ti'",
    message = "memory.offHeap must be from 16Mi to 64Ti")
@ValidationRule(
    value =
        "!has(self.limit) || [string(self.limit)].all(it, isQuantity(it) &&"
            + " quantity(it).compareTo(quantity('256Mi')) >= 0 &&"
            + " quantity(it).compareTo(quantity('128Ti')) <= 0)",
    fieldPath = ".limit",
    messageExpression = "'memory.limit is ' + string(self.limit) + '; must be from 256Mi to 128Ti'",
    message = "memory.limit must be from 256Mi to 128Ti")
@ValidationRule(
    value = "!has(self.workingSet) || isQuantity(string(self.workingSet))",
    fieldPath = ".workingSet",
    messageExpression =
        "'memory.workingSet is ' + string(self.workingSet) + '; must be a quantity, for example"
            + " 100Gi'",
    message = "memory.workingSet must be a quantity")
@ValidationRule(
    value = "!has(self.offHeapMemstore) || isQuantity(string(self.offHeapMemstore))",
    fieldPath = ".offHeapMemstore",
    messageExpression =
        "'memory.offHeapMemstore is ' + string(self.offHeapMemstore) + '; must be a quantity, for"
            + " example 4Gi'",
    message = "memory.offHeapMemstore must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemorySpec(
    @ByteRange(min = "256Mi", max = "4Ti", wholeMib = true)
        @JsonPropertyDescription("Java heap, -Xms and -Xmx; a share of the limit where left out.")
        Quantity heap,
    @ByteRange(min = "16Mi", max = "64Ti", wholeMib = true)
        @JsonPropertyDescription(
            "The budget of all direct memory, -XX:MaxDirectMemorySize: bucket cache, allocator"
                + " pool, off-heap memstore and reserve; a share of the limit where left out.")
        Quantity offHeap,
    @ByteRange(min = "256Mi", max = "128Ti", wholeMib = true)
        @JsonPropertyDescription(
            "Memory limit of the container. Derived where left out; refused where the plan needs"
                + " more. Alone, it is shared out between heap and off-heap.")
        Quantity limit,
    @ByteRange(min = "0", max = "1073741824Gi")
        @JsonPropertyDescription(
            "Bytes of data blocks that a region server's clients read again and again; a limit is"
                + " shared out so that the bucket cache holds them. Measured where left out.")
        Quantity workingSet,
    @ByteRange(min = "0", max = "64Ti")
        @JsonPropertyDescription(
            "Part of offHeap for the memstores' cells,"
                + " hbase.regionserver.offheap.global.memstore.size; none where left out.")
        Quantity offHeapMemstore) {}
