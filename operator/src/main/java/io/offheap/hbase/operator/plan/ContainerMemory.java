package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.MemorySizes.LIMIT;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the region server's process takes at the most, added up: the container's memory, request and
 * limit alike, since memory that is not there cannot be taken back.
 *
 * <p>Netty's buffers lie outside {@code MaxDirectMemorySize} (it makes them without a cleaner), so
 * they get a cap of their own, and the requests that may wait in them half of it; a burst of
 * requests then fails as {@code CallQueueTooBigException}, which clients retry, and takes nothing
 * from bucket cache and pool.
 */
final class ContainerMemory {
  private static final long LARGEST_REQUEST = 256 * MIB;
  private static final long LARGEST_TEMPORARY_BUFFER = 256 * KIB;

  private ContainerMemory() {}

  static List<BudgetItem> derive(
      Declared declared,
      MemorySizes sizes,
      BufferPool pool,
      DirectParts parts,
      OffHeapBudget offHeap,
      HeapRegions regions,
      ProcessMemory process,
      Draft draft) {
    long heap = regions.heapBytes();
    long netty = netty(sizes.offHeapBytes(), draft);
    var items = new ArrayList<BudgetItem>();
    items.add(new BudgetItem("heap", heap));
    items.add(new BudgetItem("bucketCache", offHeap.bucketCacheBytes()));
    items.add(new BudgetItem("allocatorPool", pool.bytes()));
    items.add(new BudgetItem("offHeapMemstore", parts.memstoreBytes()));
    items.add(new BudgetItem("shortCircuit", parts.shortCircuitBytes()));
    items.add(new BudgetItem("offHeapReserve", offHeap.reserveBytes()));
    items.add(new BudgetItem("netty", netty));
    items.add(new BudgetItem("g1", process.g1(heap)));
    items.add(new BudgetItem("metaspaceCodeAndStacks", process.classesCodeAndStacks(heap)));
    long sum = items.stream().mapToLong(BudgetItem::bytes).sum();
    long rounded = Bytes.roundUp(sum, MIB);
    long memory = declared.memory().limitBytes().orElse(rounded);
    var written =
        items.stream()
            .filter(item -> item.bytes() > 0)
            .map(item -> item.item() + " " + mib(item.bytes()))
            .collect(Collectors.joining(" + "));
    if (memory < sum) {
      draft.problem(
          LIMIT,
          String.format(
              Locale.ROOT,
              "%s is too small: %s = %s; at least %s is right",
              quantity(memory),
              written,
              mib(sum),
              quantity(rounded)));
    }
    items.add(new BudgetItem("headroom", Math.max(0, memory - sum)));
    draft.add(
        new Setting(
            Target.CONTAINER,
            Keys.CONTAINER_MEMORY.name(),
            quantity(memory),
            declared.memory().limitBytes().isPresent() ? LIMIT + "; needed: " + written : written,
            declared.memory().limitBytes().isPresent()
                ? Setting.USER
                : "this operator: request = limit"));
    return items;
  }

  private static long netty(long offHeapBytes, Draft draft) {
    long cap = ProcessMemory.netty(offHeapBytes);
    draft.fixed(
        JvmKeys.NETTY_DIRECT_MEMORY,
        Long.toString(cap),
        "bytes; 1/16 of off-heap, from 128 MiB to 1 GiB, outside MaxDirectMemorySize",
        "Netty: PlatformDependent",
        "spec.regionServers.memory.offHeap");
    draft.constant(
        JvmKeys.TEMPORARY_BUFFER,
        Long.toString(LARGEST_TEMPORARY_BUFFER),
        "bytes; a thread keeps no larger temporary direct buffer",
        "JDK 17: sun.nio.ch.Util");
    draft.fixed(
        HBaseKeys.CALL_QUEUE,
        cap / 2,
        "half of Netty's cap " + mib(cap) + " for requests in flight",
        "HBase 2.6: RpcServer",
        "spec.regionServers.memory.offHeap");
    draft.fixed(
        HBaseKeys.LARGEST_REQUEST,
        Math.min(LARGEST_REQUEST, cap / 2),
        "HBase's own 256 MiB, and no more than half of Netty's cap " + mib(cap),
        "HBase 2.6: RpcServer",
        "spec.regionServers.memory.offHeap");
    return cap;
  }
}
