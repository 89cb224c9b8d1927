package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** The HFile blocks that region servers read: what a buffer has to hold. */
@ValidationRule(
    value = "!has(self.blockSize) || isQuantity(string(self.blockSize))",
    fieldPath = ".blockSize",
    messageExpression =
        "'spec.regionServers.hfile.blockSize is ' + string(self.blockSize) + '; a quantity is right, for example 64Ki'",
    message = "spec.regionServers.hfile.blockSize must be a quantity")
@ValidationRule(
    value = "!has(self.indexBlockSize) || isQuantity(string(self.indexBlockSize))",
    fieldPath = ".indexBlockSize",
    messageExpression =
        "'spec.regionServers.hfile.indexBlockSize is ' + string(self.indexBlockSize) + '; a quantity is right, for example 128Ki'",
    message = "spec.regionServers.hfile.indexBlockSize must be a quantity")
@ValidationRule(
    value = "!has(self.bloomBlockSize) || isQuantity(string(self.bloomBlockSize))",
    fieldPath = ".bloomBlockSize",
    messageExpression =
        "'spec.regionServers.hfile.bloomBlockSize is ' + string(self.bloomBlockSize) + '; a quantity is right, for example 128Ki'",
    message = "spec.regionServers.hfile.bloomBlockSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HFileSpec(
    @Default("64Ki") @JsonPropertyDescription("Largest BLOCKSIZE among the column families.")
        Quantity blockSize,
    @Default("128Ki") @JsonPropertyDescription("Size of index blocks: hfile.index.block.max.size.")
        Quantity indexBlockSize,
    @Default("128Ki")
        @JsonPropertyDescription("Size of bloom filter blocks: io.storefile.bloom.block.size.")
        Quantity bloomBlockSize,
    @Default("939")
        @Min(1)
        @Max(10485760)
        @JsonPropertyDescription(
            "Largest common cell in bytes, with key and tags. A block ends with the cell that"
                + " passes its size, so a block is as much larger; 939 is what HBase's own buffer"
                + " size allows for.")
        Integer cellSize) {

  /** Fills in what was left out. */
  public HFileSpec {
    blockSize = blockSize == null ? Quantity.parse("64Ki") : blockSize;
    indexBlockSize = indexBlockSize == null ? Quantity.parse("128Ki") : indexBlockSize;
    bloomBlockSize = bloomBlockSize == null ? Quantity.parse("128Ki") : bloomBlockSize;
    cellSize = cellSize == null ? 939 : cellSize;
  }
}
