package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;

import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * G1's regions of the heap, and the memstores' chunks in them. An object of over half a region is
 * humongous: it takes whole regions and is never moved.
 *
 * @param regionBytes {@code G1HeapRegionSize}
 * @param count regions of the heap
 */
record HeapRegions(long regionBytes, long count) {
  private static final String G1 = "JDK 17: G1";

  private static final long CHUNK_BYTES = HBaseKeys.MSLAB_CHUNK.constantDefault();

  private static final int ARRAY_HEADER = 16;

  /** From this heap on, regions that are large enough for MSLAB chunks leave G1 512 of them. */
  private static final long HEAP_FOR_WHOLE_CHUNKS = 4 * GIB;

  /** With fewer regions, shares of the heap become coarse. */
  private static final long LEAST_REGIONS = 64;

  /** A declared region size that is valid. */
  static OptionalLong declaredBytes(Draft draft) {
    return draft
        .declared(JvmKeys.REGION_SIZE)
        .filter(bytes -> Long.bitCount(bytes) == 1 && bytes >= MIB && bytes <= 32 * MIB)
        .stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  static HeapRegions derive(MemorySizes.Size size, Draft draft) {
    long heapBytes = size.bytes();
    long regionBytes = regionBytes(size, draft);
    chunk(regionBytes, draft);
    return new HeapRegions(regionBytes, G1Sums.regions(heapBytes, regionBytes));
  }

  /** The heap as rounded by the JVM, in bytes. */
  long heapBytes() {
    return regionBytes * count;
  }

  private static long regionBytes(MemorySizes.Size size, Draft draft) {
    long heap = size.bytes();
    long derived = derivedRegionBytes(heap);
    var chosen =
        draft.value(
            JvmKeys.REGION_SIZE,
            derived,
            Sentence.of(
                "the power of two nearest to heap {} / 960 = {}, from 1 to 32 MiB, and at least 8"
                    + " from a heap of 4 GiB on, so that an MSLAB chunk of 2 MiB is not humongous",
                size.mib(JvmKeys.HEAP.name()),
                Input.mib("heap / 960", heap / 960)),
            G1);
    long region = chosen.value();
    if (Long.bitCount(region) != 1 || region < MIB || region > 32 * MIB) {
      draft.problem(
          chosen.field(),
          Bytes.quantity(region) + " is not a region size; must be a power of two from 1m to 32m");
      return derived;
    }
    if (heap / region < LEAST_REGIONS) {
      draft.problem(
          chosen.field(),
          Bytes.jvm(region)
              + " makes only "
              + heap / region
              + " regions of the heap; must be smaller, for example "
              + Bytes.jvm(derived));
    }
    return region;
  }

  static long derivedRegionBytes(long heap) {
    long ideal = heap / 960;
    long below = Long.highestOneBit(Math.max(1, ideal));
    long nearest = ideal - below < 2 * below - ideal ? below : 2 * below;
    long least = heap >= HEAP_FOR_WHOLE_CHUNKS ? 8 * MIB : MIB;
    return Bytes.clamp(nearest, least, 32 * MIB);
  }

  private static void chunk(long region, Draft draft) {
    boolean whole = region >= 4 * CHUNK_BYTES;
    var regionBytes = Input.mib(JvmKeys.REGION_SIZE.name(), region);
    var chunk =
        draft.value(
            HBaseKeys.MSLAB_CHUNK,
            Field.derivedFrom(MemorySizes.HEAP),
            whole ? CHUNK_BYTES : Math.min(CHUNK_BYTES, region / 2) - KIB,
            whole
                ? Sentence.of("HBase's default; not humongous in regions of {}", regionBytes)
                : Sentence.of(
                    "just under half a region of {}, else each chunk is humongous", regionBytes),
            HBaseKeys.MSLAB_CHUNK.source() + "; " + G1);
    long largest = region / 2 - ARRAY_HEADER;
    // HBase does not start with a cell that is larger than a chunk.
    long cell =
        draft.passedOn(
            HBaseKeys.MSLAB_LARGEST_CELL, 0L, chunk.declared() ? largest : chunk.value());
    if (chunk.value() < cell || chunk.value() > largest) {
      draft.problem(
          chunk.field(),
          String.format(
              Locale.ROOT,
              "%d is out of range; must be from %d (the largest cell of a chunk) to %d in regions"
                  + " of %s",
              chunk.value(),
              cell,
              largest,
              mib(region)));
    }
  }
}
