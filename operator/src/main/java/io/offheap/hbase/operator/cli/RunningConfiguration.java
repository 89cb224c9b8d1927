package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.api.MemorySpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.declare.GroupField;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.Target;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What a configuration declares for a region server: the fields of an equivalent resource. All its
 * other values are derived or passed on by the plan of such a resource.
 *
 * @param heapBytes {@code -Xmx}
 * @param offHeapBytes {@code -XX:MaxDirectMemorySize}
 * @param limit memory that the process may take, where limited
 * @param cache where blocks are cached
 * @param hfile block sizes
 * @param handlers RPC handlers
 * @param offHeapMemstoreMib off-heap memstore, 0 for none
 * @param shortCircuit whether HDFS short-circuit reads are on
 * @param machine inputs that the configuration does not have
 */
@RecordBuilder
record RunningConfiguration(
    long heapBytes,
    long offHeapBytes,
    OptionalLong limit,
    BlockCacheSpec cache,
    HFileSpec hfile,
    int handlers,
    long offHeapMemstoreMib,
    boolean shortCircuit,
    Machine machine) {
  static final String SHORT_CIRCUIT = HBaseKeys.SHORT_CIRCUIT.name();
  static final long MIB = 1L << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The default of HBase or the JVM for a key that nothing sets; empty where it is unknown.
   *
   * @param effective values of other keys, set or default
   */
  Optional<String> ownDefault(
      Target target, String key, Function<String, Optional<String>> effective) {
    var context = new Key.Context(machine.cores(), heapBytes, offHeapBytes, limit, effective);
    return Keys.find(target, key).flatMap(it -> it.ownDefault().apply(context));
  }

  /** This configuration with sizes and counts in the planner's ranges. */
  RunningConfiguration inRange() {
    return RunningConfigurationBuilder.builder(this)
        .heapBytes(GroupField.rangeOf("memory.heap").nearest(heapBytes))
        .offHeapBytes(GroupField.rangeOf("memory.offHeap").nearest(offHeapBytes))
        .limit(
            limit.isPresent() && limit.getAsLong() < GroupField.rangeOf("memory.limit").min()
                ? OptionalLong.empty()
                : limit)
        .hfile(
            new HFileSpec(
                hfile.blockSize(),
                nearest("hfile.indexBlockSize", hfile.indexBlockSize()),
                nearest("hfile.bloomBlockSize", hfile.bloomBlockSize()),
                hfile.cellSize(),
                hfile.openFiles()))
        .handlers(Math.toIntExact(GroupField.rangeOf("handlers").nearest(handlers)))
        .build();
  }

  private static Quantity nearest(String field, Quantity size) {
    return bytes(
        GroupField.rangeOf(field).nearest(Quantity.getAmountInBytes(size).longValueExact()));
  }

  /** This configuration with other sizes. */
  RunningConfiguration with(long heap, long offHeap, OptionalLong otherLimit) {
    return RunningConfigurationBuilder.builder(this)
        .heapBytes(heap)
        .offHeapBytes(offHeap)
        .limit(otherLimit)
        .build();
  }

  /** A resource that declares this configuration and further values. */
  HBaseCluster cluster(Map<String, String> config, List<String> jvmOptions) {
    var memory =
        new MemorySpec(
            bytes(heapBytes),
            bytes(offHeapBytes),
            limit.isPresent() ? bytes(limit.getAsLong()) : null,
            null,
            offHeapMemstoreMib == 0 ? null : bytes(offHeapMemstoreMib * MIB));
    var servers =
        JSON.convertValue(
            Map.of(
                "replicas", 1,
                "memory", memory,
                "resources", Map.of("limits", Map.of("cpu", machine.cores())),
                "disk", machine.disk(),
                "load", machine.load(),
                "blockCache", cache,
                "hfile", hfile,
                "handlers", handlers,
                "config", config,
                "jvmOptions", jvmOptions),
            RegionServersSpec.class);
    var cluster = new HBaseCluster();
    cluster.setSpec(
        HBaseClusterSpecBuilder.builder()
            .image(null)
            .zookeeper(null)
            .storage(null)
            .masters(null)
            .regionServers(servers)
            .regionServerGroups(null)
            .rollout(null)
            .tuning(null)
            .networkPolicy(null)
            .clients(null)
            .webPages(null)
            .build());
    return cluster;
  }

  static Quantity bytes(long bytes) {
    return new Quantity(Long.toString(bytes));
  }
}
