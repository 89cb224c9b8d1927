package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import java.util.Map;

/** The region servers and the memory that each may use. */
@ValidationRule(
    value =
        "!has(self.cpuRequest) || isQuantity(string(self.cpuRequest)) &&"
            + " quantity(string(self.cpuRequest)).isGreaterThan(quantity('0'))",
    fieldPath = ".cpuRequest",
    messageExpression =
        "'spec.regionServers.cpuRequest is ' + string(self.cpuRequest) + '; a quantity over 0 is"
            + " right, for example 500m'",
    message = "spec.regionServers.cpuRequest must be a quantity over 0")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RegionServersSpec(
    @Default("3") @Min(1) @Max(1000) @SpecReplicas @JsonPropertyDescription("Region servers.")
        Integer replicas,
    @Required @JsonPropertyDescription("Memory of each region server.") MemorySpec memory,
    @Default("4")
        @Min(1)
        @Max(1024)
        @JsonPropertyDescription(
            "CPUs that each region server may use: the container's limit, and what the GC threads"
                + " follow from.")
        Integer cores,
    @JsonPropertyDescription(
            "CPU that the scheduler sets aside for each region server; cores where left out.")
        Quantity cpuRequest,
    @Default("\"SSD\"")
        @JsonPropertyDescription(
            "The disks under HDFS, or Offline for clusters without latency demands: decides"
                + " MaxGCPauseMillis.")
        Disk disk,
    @Default("\"Normal\"") @JsonPropertyDescription("Write load: decides G1NewSizePercent.")
        Load load,
    @JsonPropertyDescription("Block cache.") BlockCacheSpec blockCache,
    @JsonPropertyDescription("HFile blocks of the tables.") HFileSpec hfile,
    @JsonPropertyDescription("HBase's ByteBuffAllocator.") AllocatorSpec allocator,
    @Default("30")
        @Min(1)
        @Max(10000)
        @JsonPropertyDescription("RPC handlers: hbase.regionserver.handler.count.")
        Integer handlers,
    @JsonPropertyDescription(
            "Share of the heap for memstores, hbase.regionserver.global.memstore.size; derived"
                + " where left out.")
        Double memstoreFraction,
    @JsonPropertyDescription(
            "Further hbase-site.xml properties. One that repeats a derived value is checked like"
                + " any declared value, and refused where it breaks the plan.")
        Map<String, String> config,
    @JsonPropertyDescription(
            "Further JVM options, one each. One that repeats a derived option is checked like any"
                + " declared value, and refused where it breaks the plan.")
        List<String> jvmOptions) {

  /** Fills in what was left out. */
  public RegionServersSpec {
    replicas = replicas == null ? 3 : replicas;
    cores = cores == null ? 4 : cores;
    disk = disk == null ? Disk.SSD : disk;
    load = load == null ? Load.Normal : load;
    blockCache = blockCache == null ? new BlockCacheSpec(null, null, null) : blockCache;
    hfile = hfile == null ? new HFileSpec(null, null, null, null) : hfile;
    allocator = allocator == null ? new AllocatorSpec(null, null) : allocator;
    handlers = handlers == null ? 30 : handlers;
    config = config == null ? Map.of() : Map.copyOf(config);
    jvmOptions = jvmOptions == null ? List.of() : List.copyOf(jvmOptions);
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

  /** Memory of one region server. */
  @ValidationRule(
      value =
          "isQuantity(string(self.heap)) && quantity(string(self.heap)).compareTo(quantity('256Mi')) >= 0"
              + " && quantity(string(self.heap)).compareTo(quantity('4Ti')) <= 0",
      fieldPath = ".heap",
      messageExpression =
          "'spec.regionServers.memory.heap is ' + string(self.heap) + '; from 256Mi to 4Ti is right'",
      message = "spec.regionServers.memory.heap must be from 256Mi to 4Ti")
  @ValidationRule(
      value =
          "isQuantity(string(self.offHeap)) && quantity(string(self.offHeap)).compareTo(quantity('16Mi')) >= 0"
              + " && quantity(string(self.offHeap)).compareTo(quantity('64Ti')) <= 0",
      fieldPath = ".offHeap",
      messageExpression =
          "'spec.regionServers.memory.offHeap is ' + string(self.offHeap) + '; from 16Mi to 64Ti is right'",
      message = "spec.regionServers.memory.offHeap must be from 16Mi to 64Ti")
  @ValidationRule(
      value =
          "!has(self.limit) || isQuantity(string(self.limit)) && quantity(string(self.limit)).compareTo(quantity('256Mi')) >= 0"
              + " && quantity(string(self.limit)).compareTo(quantity('64Ti')) <= 0",
      fieldPath = ".limit",
      messageExpression =
          "'spec.regionServers.memory.limit is ' + string(self.limit) + '; from 256Mi to 64Ti is right'",
      message = "spec.regionServers.memory.limit must be from 256Mi to 64Ti")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MemorySpec(
      @Required @JsonPropertyDescription("Java heap, -Xms and -Xmx.") Quantity heap,
      @Required
          @JsonPropertyDescription(
              "The budget of all direct memory, -XX:MaxDirectMemorySize: bucket cache, allocator"
                  + " pool and reserve.")
          Quantity offHeap,
      @JsonPropertyDescription(
              "Memory limit of the container; derived where left out, refused where the plan needs"
                  + " more.")
          Quantity limit) {}
}
