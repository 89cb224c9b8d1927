package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** The HFile blocks that region servers read, which a buffer must hold. */
@ValidationRule(
    value = "!has(self.blockSize) || isQuantity(string(self.blockSize))",
    fieldPath = ".blockSize",
    messageExpression =
        "'hfile.blockSize is ' + string(self.blockSize) + '; must be a quantity, for example 64Ki'",
    message = "hfile.blockSize must be a quantity")
@ValidationRule(
    value = "!has(self.indexBlockSize) || isQuantity(string(self.indexBlockSize))",
    fieldPath = ".indexBlockSize",
    messageExpression =
        "'hfile.indexBlockSize is ' + string(self.indexBlockSize) + '; must be a quantity, for"
            + " example 128Ki'",
    message = "hfile.indexBlockSize must be a quantity")
@ValidationRule(
    value = "!has(self.bloomBlockSize) || isQuantity(string(self.bloomBlockSize))",
    fieldPath = ".bloomBlockSize",
    messageExpression =
        "'hfile.bloomBlockSize is ' + string(self.bloomBlockSize) + '; must be a quantity, for"
            + " example 128Ki'",
    message = "hfile.bloomBlockSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HFileSpec(
    @ByteRange(min = "1Ki", max = "16Mi")
        @JsonPropertyDescription(
            "Largest BLOCKSIZE among the column families; what the live tables have, else 64Ki,"
                + " where left out.")
        Quantity blockSize,
    @ByteRange(min = "1Ki", max = "16Mi")
        @JsonPropertyDescription(
            "Size of index blocks, hfile.index.block.max.size; what the live tables have, else"
                + " 128Ki, where left out.")
        Quantity indexBlockSize,
    @ByteRange(min = "1Ki", max = "16Mi")
        @JsonPropertyDescription(
            "Size of bloom filter blocks, io.storefile.bloom.block.size; what the live tables have,"
                + " else 128Ki, where left out.")
        Quantity bloomBlockSize,
    @Min(1)
        @Max(10485760)
        @JsonPropertyDescription(
            "Largest common cell in bytes, with key and tags. A block ends with the cell that"
                + " passes its size, so a block is as much larger. What samples of the live tables"
                + " have, else 939, which HBase's own buffer size allows for, where left out.")
        Integer cellSize,
    @Min(1)
        @Max(10000000)
        @JsonPropertyDescription(
            "Open store files of a region server, where HDFS short-circuit reads are on"
                + " (config dfs.client.read.shortcircuit): each takes a direct buffer.")
        Integer openFiles) {}
