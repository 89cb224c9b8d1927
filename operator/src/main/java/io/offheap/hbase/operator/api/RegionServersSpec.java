package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import java.util.Map;

/**
 * The region servers of one group, the default one or another, and the memory that each of them may
 * use. A field here is a field of every group; another group inherits it without further code.
 */
@ValidationRule(
    value =
        "!has(self.cpuRequest) || isQuantity(string(self.cpuRequest)) &&"
            + " quantity(string(self.cpuRequest)).isGreaterThan(quantity('0'))",
    fieldPath = ".cpuRequest",
    messageExpression =
        "'cpuRequest is ' + string(self.cpuRequest) + '; a quantity over 0 is"
            + " right, for example 500m'",
    message = "cpuRequest must be a quantity over 0")
@ValidationRule(
    value = "!has(self.survivorSize) || isQuantity(string(self.survivorSize))",
    fieldPath = ".survivorSize",
    messageExpression =
        "'survivorSize is ' + string(self.survivorSize) + '; a quantity is right, for example 52Mi'",
    message = "survivorSize must be a quantity")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RegionServersSpec(
    @Default("3") @Min(1) @Max(1000) @SpecReplicas @JsonPropertyDescription("Region servers.")
        Integer replicas,
    @JsonPropertyDescription(
            "Choices that somebody published, for whatever is left out here, memory included.")
        Profile profile,
    @JsonPropertyDescription("Memory of each region server.") MemorySpec memory,
    @Min(1)
        @Max(1024)
        @JsonPropertyDescription(
            "CPUs that each region server may use: the container's limit, and what the GC threads"
                + " follow from; 4 where left out.")
        Integer cores,
    @JsonPropertyDescription(
            "CPU that the scheduler sets aside for each region server; cores where left out.")
        Quantity cpuRequest,
    @JsonPropertyDescription(
            "The disks under HDFS, or Offline for clusters without latency demands: decides"
                + " MaxGCPauseMillis; SSD where left out.")
        Disk disk,
    @JsonPropertyDescription("Write load: decides G1NewSizePercent; Normal where left out.")
        Load load,
    @JsonPropertyDescription("Block cache.") BlockCacheSpec blockCache,
    @JsonPropertyDescription("HFile blocks of the tables.") HFileSpec hfile,
    @JsonPropertyDescription("HBase's ByteBuffAllocator.") AllocatorSpec allocator,
    @Min(1)
        @Max(10000)
        @JsonPropertyDescription(
            "RPC handlers, hbase.regionserver.handler.count; 30 where left out.")
        Integer handlers,
    @JsonPropertyDescription(
            "Share of the heap for memstores, hbase.regionserver.global.memstore.size; derived"
                + " where left out.")
        Double memstoreFraction,
    @JsonPropertyDescription(
            "Bytes that survive their first young collection, age 1 in the GC log: SurvivorRatio is"
                + " the largest up to 8 that has room for them.")
        Quantity survivorSize,
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hbase-site.xml properties. One that repeats a derived value is checked like"
                + " any declared value, and refused where it breaks the plan.")
        Map<String, @Size(max = 8192) String> config,
    @Size(max = 200)
        @JsonPropertyDescription(
            "Further JVM options, one each. One that repeats a derived option is checked like any"
                + " declared value, and refused where it breaks the plan.")
        List<@Size(max = 8192) String> jvmOptions) {

  /** Keeps what was declared, and refuses an entry without a value. */
  public RegionServersSpec {
    config = config == null ? null : Map.copyOf(config);
    jvmOptions = jvmOptions == null ? null : List.copyOf(jvmOptions);
  }

  /** The values of fields that neither a group nor its profile declares, and no plan derives. */
  public static RegionServersSpec ofDefaults() {
    return new RegionServersSpec(
        3,
        null,
        null,
        4,
        null,
        Disk.SSD,
        Load.Normal,
        new BlockCacheSpec(BlockCacheSpec.Mode.OffHeap, null, null, null),
        new HFileSpec(null, null, null, null, null),
        new AllocatorSpec(null, null),
        30,
        null,
        null,
        Map.of(),
        List.of());
  }

  /** What HDFS stands on. */
  public enum Disk {
    SSD,
    HDD,
    Offline
  }

  /** How much is written. */
  public enum Load {
    Normal,
    Heavy
  }
}
