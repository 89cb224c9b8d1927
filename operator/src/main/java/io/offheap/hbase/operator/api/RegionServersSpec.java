package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * The region servers of one group, the default one or another, and the memory that each of them may
 * use. A field here is a field of every group; another group inherits it without further code.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record RegionServersSpec(
    @Default("3") @Min(1) @Max(1000) @SpecReplicas @JsonPropertyDescription("Region servers.")
        Integer replicas,
    @JsonPropertyDescription("Published choices for what is left out here, memory included.")
        Profile profile,
    @JsonPropertyDescription("Memory of each region server.") MemorySpec memory,
    @JsonPropertyDescription("CPU and ephemeral storage of each region server.")
        ResourcesSpec resources,
    @JsonPropertyDescription(
            "The disks under HDFS, or Offline for clusters without latency demands: decides"
                + " MaxGCPauseMillis.")
        Disk disk,
    @JsonPropertyDescription("Write load: decides G1NewSizePercent.") Load load,
    @JsonPropertyDescription("Block cache.") BlockCacheSpec blockCache,
    @JsonPropertyDescription("HFile blocks of the tables.") HFileSpec hfile,
    @JsonPropertyDescription("HBase's ByteBuffAllocator.") AllocatorSpec allocator,
    @Min(1) @Max(10000) @JsonPropertyDescription("RPC handlers, hbase.regionserver.handler.count.")
        Integer handlers,
    @JsonPropertyDescription(
            "Share of the heap for memstores, hbase.regionserver.global.memstore.size; derived"
                + " where left out. A quantity such as \"0.45\" or 450m, since Kubernetes' API has"
                + " no floating-point numbers; whole percents could not hold 0.175.")
        Quantity memstoreFraction,
    @JsonPropertyDescription("What the plan needs to know of garbage collections.") G1Spec g1,
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hbase-site.xml properties. One that repeats a derived value is checked like"
                + " any declared value, and refused where it breaks the plan.")
        Map<String, @Size(max = 8192) String> config,
    @Size(max = 200)
        @JsonPropertyDescription(
            "Further JVM options, one each. One that repeats a derived option is checked like any"
                + " declared value, and refused where it breaks the plan.")
        List<@Size(max = 8192) String> jvmOptions,
    @PodTemplate
        @JsonPropertyDescription(
            "Metadata and spec of the pods, as in a Kubernetes pod template: labels, annotations,"
                + " scheduling, volumes, environment, init containers and sidecars. The container"
                + " regionserver is the operator's; what would break its plan is refused.")
        JsonNode podTemplate) {

  /** Copies lists and maps, and refuses an entry without a value. */
  public RegionServersSpec {
    config = config == null ? null : Map.copyOf(config);
    jvmOptions = jvmOptions == null ? null : List.copyOf(jvmOptions);
  }

  /**
   * The values of fields that neither a group nor its profile declares, and no plan derives. The
   * definition names each in the field's description. It has no {@code default} for them: the API
   * server would write that into the stored resource as if it were declared, over a profile's field
   * and into what is hashed, which would restart every server.
   */
  public static RegionServersSpec ofDefaults() {
    return RegionServersSpecBuilder.builder()
        .replicas(3)
        .profile(null)
        .memory(null)
        .resources(
            new ResourcesSpec(null, new ResourcesSpec.Amounts(Quantity.parse("4"), null, null)))
        .disk(Disk.SSD)
        .load(Load.Normal)
        .blockCache(new BlockCacheSpec(BlockCacheSpec.Mode.OffHeap, null, null, null))
        .hfile(new HFileSpec(null, null, null, null, null))
        .allocator(new AllocatorSpec(null, null))
        .handlers(30)
        .memstoreFraction(null)
        .g1(null)
        .config(Map.of())
        .jvmOptions(List.of())
        .podTemplate(null)
        .build();
  }

  /** The storage under HDFS. */
  public enum Disk {
    SSD,
    HDD,
    Offline
  }

  /** The rate of writes. */
  public enum Load {
    Normal,
    Heavy
  }
}
