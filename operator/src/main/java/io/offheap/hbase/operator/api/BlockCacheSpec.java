package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** The block cache of each region server. */
@ValidationRule(
    value = "!has(self.bucketCacheSize) || isQuantity(string(self.bucketCacheSize))",
    fieldPath = ".bucketCacheSize",
    messageExpression =
        "'spec.regionServers.blockCache.bucketCacheSize is ' + string(self.bucketCacheSize) + '; a quantity is right, for example 8Gi'",
    message = "spec.regionServers.blockCache.bucketCacheSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BlockCacheSpec(
    @Default("\"OffHeap\"")
        @JsonPropertyDescription(
            "OffHeap: index and bloom blocks on the heap, data blocks in an off-heap bucket cache."
                + " Lru: all blocks on the heap. Disabled: no block cache at all.")
        Mode mode,
    @JsonPropertyDescription(
            "Share of the heap for the on-heap cache, hfile.block.cache.size; derived where left"
                + " out.")
        Double l1Fraction,
    @JsonPropertyDescription(
            "Size of the bucket cache, hbase.bucketcache.size; what the off-heap budget leaves"
                + " where left out.")
        Quantity bucketCacheSize) {

  /** Fills in what was left out. */
  public BlockCacheSpec {
    mode = mode == null ? Mode.OffHeap : mode;
  }

  /** Where blocks are cached. */
  public enum Mode {
    OffHeap,
    Lru,
    Disabled
  }
}
