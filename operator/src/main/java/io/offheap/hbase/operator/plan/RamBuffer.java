package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The RAM buffer before a bucket cache in a file (HBASE-26681): copies, in direct memory, of blocks
 * that are read again and again. A hit of the file costs a system call, a copy and a buffer of the
 * pool, and one of the RAM buffer none of them. HBase takes the memory at the start, as that of an
 * off-heap bucket cache.
 *
 * <p>It is planned where it is declared on. By {@code docs/benchmarks.md} it pays where few blocks
 * get most of the reads, which a plan does not know, and not by YCSB's zipfian requests; and its
 * memory is taken from the page cache, which holds blocks of the file too.
 *
 * <p>Its size is a tenth of the file. Each bucket size keeps a bucket, whatever it holds, so that
 * it is at least four times the smallest size: below that most of it would be of sizes that no
 * block of the tables has. It is at most what the off-heap budget leaves beside the parts of fixed
 * size and the reserve; where a limit is divided, the budget gets as much for it, and at most an
 * eighth of the limit. It is at most the heap for blocks of 64 KiB, and less for smaller ones: a
 * copy takes about 600 bytes of heap, and all of them at most one percent.
 */
final class RamBuffer {
  /** {@code ByteBufferArray} allocates whole buffers of this size. */
  private static final long ARRAY_UNIT = 4 * MIB;

  private static final int SHARE_OF_FILE = 10;
  private static final int TIMES_THE_SMALLEST = 4;
  private static final int SHARE_OF_LIMIT = 8;

  private RamBuffer() {}

  private static boolean isOn(Draft draft) {
    return draft.declared(HBaseKeys.RAM_BUFFER).orElse(false);
  }

  private static long wanted(long fileBytes, long smallest) {
    return Math.min(
        fileBytes,
        Math.max(
            Bytes.roundDown(fileBytes / SHARE_OF_FILE, ARRAY_UNIT), TIMES_THE_SMALLEST * smallest));
  }

  /** The heap takes one percent for the copies, of blocks of 64 KiB as many bytes as it has. */
  private static long mostBesideHeap(long heapBytes, long blockBytes) {
    double share =
        Math.min(blockBytes, HFileDefaults.DATA_BLOCK) / (double) HFileDefaults.DATA_BLOCK;
    return Bytes.roundDown((long) (heapBytes * share), ARRAY_UNIT);
  }

  /**
   * Direct memory for it where a limit is divided, in bytes; 0 where it is off.
   *
   * @param heapBeside the heap that is left beside so many bytes of it
   * @param leastHeap the least that must be left
   */
  static long shareOf(
      long limit,
      long fileBytes,
      long blockBytes,
      Buckets buckets,
      LongUnaryOperator heapBeside,
      long leastHeap,
      Draft draft) {
    if (!isOn(draft)) {
      return 0;
    }
    long smallest = Bytes.roundUp(buckets.leastCacheBytes(), ARRAY_UNIT);
    long wanted =
        Bytes.roundDown(Math.min(limit / SHARE_OF_LIMIT, wanted(fileBytes, smallest)), ARRAY_UNIT);
    long beside = mostBesideHeap(heapBeside.applyAsLong(wanted), blockBytes);
    long derived = Math.max(smallest, Math.min(wanted, beside));
    return draft
        .declared(HBaseKeys.RAM_BUFFER_SIZE)
        // One that is too small or too large is refused later, with the room for the derived one.
        .filter(size -> size >= smallest / MIB && size <= limit / MIB)
        .map(size -> Bytes.roundUp(size * MIB, ARRAY_UNIT))
        .filter(bytes -> heapBeside.applyAsLong(bytes) >= leastHeap)
        .or(() -> Optional.of(derived).filter(bytes -> heapBeside.applyAsLong(bytes) >= leastHeap))
        .orElse(0L);
  }

  /**
   * Adds its settings.
   *
   * @param others the parts of the budget that are not for it, with their numbers
   * @param room what they leave; negative where they take too much
   * @param blockBytes the size of a data block
   * @param budgetFor the least off-heap budget with so many bytes of it
   * @return its direct memory in bytes, 0 where there is none
   */
  static long derive(
      MemorySizes sizes,
      Sentence others,
      long room,
      long fileBytes,
      long blockBytes,
      Buckets buckets,
      LongUnaryOperator budgetFor,
      Draft draft) {
    if (!isOn(draft)) {
      return 0;
    }
    long smallest = Bytes.roundUp(buckets.leastCacheBytes(), ARRAY_UNIT);
    long most = Math.max(0, Bytes.roundDown(room, ARRAY_UNIT));
    long byHeap = mostBesideHeap(sizes.heapBytes(), blockBytes);
    long derived =
        Math.max(
            smallest,
            Bytes.roundDown(
                Math.min(Math.min(most, byHeap), wanted(fileBytes, smallest)), ARRAY_UNIT));
    draft.fromField(
        HBaseKeys.RAM_BUFFER,
        true,
        Sentence.of("copies of blocks that are read again and again"),
        FieldPath.of(HBaseKeys.RAM_BUFFER));
    draft.passedOn(HBaseKeys.RAM_BUFFER_TIMEOUT, 1L, Long.MAX_VALUE);
    var size =
        draft.value(
            HBaseKeys.RAM_BUFFER_SIZE,
            derived / MIB,
            Sentence.of(
                "MiB; 1/10 of the file's {}, at least four buckets of each size, at most what off-heap"
                    + " {} leaves beside {}",
                Input.mib(HBaseKeys.CACHE_SIZE.name(), fileBytes),
                sizes.offHeap().mib(JvmKeys.DIRECT_MEMORY.name()),
                others),
            HBaseKeys.RAM_BUFFER_SIZE.source());
    if (most < smallest) {
      draft.problem(
          FieldPath.of(HBaseKeys.RAM_BUFFER),
          Sentence.of(
              "true needs {} of direct memory for a bucket of each size, and {} {} less {} leaves {};"
                  + " must be false, or {} must give {} of direct memory",
              Sentence.of(mib(smallest)),
              Sentence.of(JvmKeys.DIRECT_MEMORY.name()),
              Sentence.of(quantity(sizes.offHeapBytes())),
              others,
              Sentence.of(mib(most)),
              Sentence.name(sizes.offHeap().field()),
              Sentence.of(quantity(budgetFor.applyAsLong(smallest)))));
      return 0;
    }
    if (size.value() < smallest / MIB || size.value() > most / MIB) {
      draft.problem(
          size.field(),
          Sentence.of(
              "{} MiB + {} must fit into "
                  + JvmKeys.DIRECT_MEMORY.name()
                  + " {}, and a bucket of"
                  + " each size into it; must be from {} to {}",
              Sentence.of(size.value().toString()),
              others,
              Sentence.of(quantity(sizes.offHeapBytes())),
              Sentence.of(String.valueOf(smallest / MIB)),
              Sentence.of(String.valueOf(most / MIB))));
      return most;
    }
    return Bytes.roundUp(size.value() * MIB, ARRAY_UNIT);
  }
}
