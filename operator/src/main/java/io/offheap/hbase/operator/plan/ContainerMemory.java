package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.MemorySizes.LIMIT;
import static io.offheap.hbase.operator.plan.MemorySizes.OFF_HEAP;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.ArrayList;
import java.util.List;

/**
 * The most memory that the region server's process takes: request and limit of the container. They
 * are equal, since memory that a node lacks cannot be reclaimed.
 *
 * <p>Netty's buffers are outside {@code MaxDirectMemorySize} (it allocates them without a cleaner),
 * so they have a limit of their own, and waiting requests may use half of it. A burst of requests
 * then fails with {@code CallQueueTooBigException}, which clients retry, and takes no memory from
 * bucket cache and pool.
 */
final class ContainerMemory {
  static final String RAM_BUFFER = "ramBuffer";

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
    long netty = netty(sizes, draft);
    var items = new ArrayList<BudgetItem>();
    items.add(new BudgetItem("heap", heap));
    items.add(new BudgetItem("bucketCache", offHeap.bucketCacheBytes()));
    if (offHeap.ramBufferBytes() > 0) {
      items.add(new BudgetItem(RAM_BUFFER, offHeap.ramBufferBytes()));
    }
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
        Sentence.join(
            " + ",
            items.stream()
                .filter(item -> item.bytes() > 0)
                .map(it -> Sentence.of(it.item() + " {}", Input.mib(it.item(), it.bytes())))
                .toList());
    if (memory < sum) {
      draft.problem(
          LIMIT,
          Sentence.of(
              "{} is too small: {} = {}; must be at least {}",
              Sentence.of(quantity(memory)),
              written,
              Sentence.of(mib(sum)),
              Sentence.of(quantity(rounded))));
    }
    items.add(new BudgetItem("headroom", Math.max(0, memory - sum)));
    boolean isDeclared = declared.memory().limitBytes().isPresent();
    draft.container(
        Keys.CONTAINER_MEMORY,
        memory,
        isDeclared ? Sentence.of("{}; needed: {}", Sentence.name(LIMIT), written) : written,
        isDeclared,
        isDeclared ? "" : "this operator: request = limit");
    return items;
  }

  private static long netty(MemorySizes sizes, Draft draft) {
    long cap = ProcessMemory.netty(sizes.offHeapBytes());
    var written = Input.mib(JvmKeys.NETTY_DIRECT_MEMORY.name(), cap);
    draft.fixed(
        JvmKeys.NETTY_DIRECT_MEMORY,
        Long.toString(cap),
        Sentence.of(
            "bytes; 1/16 of off-heap {}, from 128 MiB to 1 GiB, outside " + JvmKeys.DIRECT_MEMORY,
            sizes.offHeap().mib(JvmKeys.DIRECT_MEMORY.name())),
        JvmKeys.NETTY_DIRECT_MEMORY.source(),
        OFF_HEAP);
    draft.constant(
        JvmKeys.TEMPORARY_BUFFER,
        Long.toString(LARGEST_TEMPORARY_BUFFER),
        "bytes; a thread keeps no larger temporary direct buffer",
        JvmKeys.TEMPORARY_BUFFER.source());
    draft.fixed(
        HBaseKeys.CALL_QUEUE,
        cap / 2,
        Sentence.of("half of Netty's limit {} for requests in flight", written),
        HBaseKeys.CALL_QUEUE.source(),
        OFF_HEAP);
    draft.fixed(
        HBaseKeys.LARGEST_REQUEST,
        Math.min(HBaseKeys.LARGEST_REQUEST.constantDefault(), cap / 4),
        Sentence.of(
            "HBase's default of 256 MiB, and at most a quarter of Netty's limit {}, where the WAL has"
                + " its copy too",
            written),
        HBaseKeys.LARGEST_REQUEST.source(),
        OFF_HEAP);
    return cap;
  }
}
