package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** The block cache of each region server. */
@ValidationRule(
    value = "!has(self.bucketCacheSize) || isQuantity(string(self.bucketCacheSize))",
    fieldPath = ".bucketCacheSize",
    messageExpression =
        "'blockCache.bucketCacheSize is ' + string(self.bucketCacheSize) + '; must be a quantity,"
            + " for example 8Gi'",
    message = "blockCache.bucketCacheSize must be a quantity")
@ValidationRule(
    value = "!has(self.file) || has(self.mode) && self.mode == 'File'",
    fieldPath = ".file",
    message = "blockCache.file is for blockCache.mode File alone; must be left out otherwise")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BlockCacheSpec(
    @JsonPropertyDescription(
            "OffHeap: index and bloom blocks on the heap, data blocks in an"
                + " off-heap bucket cache. File: data blocks in a bucket cache in a file. Lru: all"
                + " blocks on the heap. MetaOnly: index and bloom blocks on the heap, data blocks"
                + " not cached. Disabled: no block cache at all.")
        Mode mode,
    @JsonPropertyDescription(
            "Share of the heap for the on-heap cache, hfile.block.cache.size; derived where left"
                + " out. A quantity such as \"0.2\" or 200m, since Kubernetes' API has no"
                + " floating-point numbers.")
        Quantity l1Fraction,
    @ByteRange(min = "1Mi", max = "64Ti", wholeMib = true)
        @JsonPropertyDescription(
            "Size of the bucket cache, hbase.bucketcache.size; what the off-heap budget, or in mode"
                + " File the volume, leaves where left out.")
        Quantity bucketCacheSize,
    @JsonPropertyDescription("The file of mode File.") FileSpec file) {

  /** Where blocks are cached. */
  public enum Mode {
    OffHeap,
    File,
    Lru,
    MetaOnly,
    Disabled
  }

  /** The file that a bucket cache of mode File is kept in. */
  @ValidationRule(
      value = "!has(self.persistent) || !self.persistent || has(self.storage)",
      fieldPath = ".persistent",
      message =
          "blockCache.file.persistent is true without blockCache.file.storage; must have a"
              + " volume, since what is kept beside a container is deleted with its pod")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FileSpec(
      @Pattern("^/[^\\s:,]+$")
          @JsonPropertyDescription(
              "Folder of the file, where the volume is mounted. Default: /cache.")
          String path,
      @JsonPropertyDescription(
              "Whether a restarted region server finds its cache again; true with a volume.")
          Boolean persistent,
      @JsonPropertyDescription(
              "Volume of each region server. Where left out, the node's own disk is used, and"
                  + " blockCache.bucketCacheSize must be declared.")
          CacheVolumeSpec storage) {}
}
