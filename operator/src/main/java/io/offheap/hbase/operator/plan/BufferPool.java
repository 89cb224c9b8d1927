package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static java.util.stream.Collectors.joining;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * HBase's {@code ByteBuffAllocator}: the pool of direct buffers that HFile blocks are read into.
 *
 * <p>A block read asks for {@code A(B, c) = 66 + (B - 1 + c) + 4 * ceil((33 + B - 1 + c) / 16384)}
 * bytes: two block headers of 33 (the next block's is read too), a payload that ends with the cell
 * that reaches the block size {@code B}, and a checksum of 4 for each 16 KiB. The buffer holds the
 * largest of these, rounded up to 1 KiB; a block in one buffer is checked and decoded without
 * copies. Data blocks are always read through the pool, index and bloom blocks only where no block
 * cache is to keep them on the heap.
 *
 * @param bufferBytes size of a buffer
 * @param count most buffers that the pool makes
 */
record BufferPool(long bufferBytes, long count) {

  /** Room for the responses of a handler in HBase's own formula. */
  private static final long HANDLER_BYTES = 2 * MIB;

  /** Bucket cache writers and the queue of each, {@code BlockCacheFactory}. */
  private static final long WRITERS = 3;

  private static final long WRITER_QUEUE = 64;

  private static final long LARGEST_BUFFER = 64 * MIB;

  private static final String ALLOCATOR = "HBase 2.6: ByteBuffAllocator";

  long bytes() {
    return bufferBytes * count;
  }

  static BufferPool derive(Declared declared, BlockSizes blocks, Draft draft) {
    long bufferBytes = bufferBytes(declared, blocks, draft);
    long count = count(declared, blocks, bufferBytes, draft);
    long minimal = minimalAllocateSize(declared, bufferBytes, draft);
    var misfits = TableFit.misfits(bufferBytes, minimal, declared.tables());
    if (!misfits.isEmpty()) {
      draft.remark(
          HBaseKeys.BUFFER_SIZE,
          "; too small for live table "
              + misfits.stream().map(TableFit.Misfit::toString).collect(joining("; ")));
    }
    return new BufferPool(bufferBytes, count);
  }

  private static long bufferBytes(Declared declared, BlockSizes blocks, Draft draft) {
    var largest = largestRead(declared, blocks);
    long derived = Bytes.roundUp(largest.bytes(), KIB);
    var buffer =
        draft.value(
            HBaseKeys.BUFFER_SIZE,
            Field.derivedFrom("spec.regionServers.hfile"),
            derived,
            largest.formula() + ", rounded up to 1 KiB" + blocks.origin(),
            "HBase 2.6: HFileBlock reads the next header too; HBASE-21879 best practice 2, 3");
    if (buffer.value() < KIB || buffer.value() > LARGEST_BUFFER) {
      draft.problem(
          buffer.field(),
          buffer.value()
              + " is out of range; from 1024 to "
              + LARGEST_BUFFER
              + " is right, and "
              + derived
              + " holds every block");
      return derived;
    }
    return buffer.value();
  }

  private static Read largestRead(Declared declared, BlockSizes blocks) {
    var data = new Read("data", blocks.dataBlockBytes(), blocks.cellBytes());
    if (declared.cacheMode() != CacheMode.DISABLED) {
      return data;
    }
    long entry = BlockSizes.HBASE_CELL;
    var uncached = "; without a block cache it is read through the pool as well";
    return Stream.of(
            data,
            new Read("index", blocks.indexBlockBytes(), entry, uncached),
            new Read("bloom", blocks.bloomBlockBytes(), entry, uncached))
        .reduce((one, other) -> other.bytes() > one.bytes() ? other : one)
        .orElse(data);
  }

  /** A read of one block, as large as it gets. */
  private record Read(String kind, long blockBytes, long cellBytes, String remark) {
    Read(String kind, long blockBytes, long cellBytes) {
      this(kind, blockBytes, cellBytes, "");
    }

    long bytes() {
      return BlockRead.bytes(blockBytes, cellBytes);
    }

    String formula() {
      return String.format(
          Locale.ROOT,
          "66 + (%d - 1 + %d) + 4 x %d = %d bytes for one %s block%s",
          blockBytes,
          cellBytes,
          BlockRead.checksums(blockBytes, cellBytes),
          bytes(),
          kind,
          remark);
    }
  }

  private static long count(Declared declared, BlockSizes blocks, long bufferBytes, Draft draft) {
    var field = "spec.regionServers.allocator.poolSize";
    if (declared.poolBytes().isPresent()) {
      long pool = declared.poolBytes().getAsLong();
      long count = pool / bufferBytes;
      var reason = field + ": floor(" + pool + " / " + bufferBytes + ")";
      draft.fixed(HBaseKeys.BUFFER_COUNT, count, reason, Setting.USER, field);
      return checkCount(new Chosen<>(count, field, true), bufferBytes, draft);
    }
    var reason = new StringBuilder();
    long derived = derivedCount(declared, blocks, bufferBytes, reason);
    var count =
        draft.value(
            HBaseKeys.BUFFER_COUNT,
            Field.derivedFrom(field),
            derived,
            reason.toString(),
            ALLOCATOR);
    return checkCount(count, bufferBytes, draft);
  }

  private static long checkCount(Chosen<Long> count, long bufferBytes, Draft draft) {
    if (count.value() >= 1 && count.value() <= Integer.MAX_VALUE) {
      return count.value();
    }
    draft.problem(
        count.field(),
        String.format(
            Locale.ROOT,
            "%d buffers of %d bytes; from 1 to %d buffers are right",
            count.value(),
            bufferBytes,
            Integer.MAX_VALUE));
    return 1;
  }

  private static long derivedCount(
      Declared declared, BlockSizes blocks, long bufferBytes, StringBuilder reason) {
    long handlers = declared.handlers();
    long byHandlers = handlers * (HANDLER_BYTES / bufferBytes) * 2;
    reason.append(
        String.format(
            Locale.ROOT,
            "%d handlers x floor(2 MiB / %d) x 2 = %d, as HBase 2.6 computes it",
            handlers,
            bufferBytes,
            byHandlers));
    long byGuide = handlers * 2 * HANDLER_BYTES / bufferBytes;
    if (byGuide != byHandlers) {
      reason.append(" (its guide floors last: ").append(byGuide).append(')');
    }
    if (!declared.cacheMode().hasBucketCache()) {
      if (byHandlers < 1) {
        reason.append("; at least 1");
      }
      return Math.max(byHandlers, 1);
    }
    long block = BlockRead.bytes(blocks.dataBlockBytes(), blocks.cellBytes());
    // One queue that is full and one that was just drained and is being written.
    long byWriters = WRITERS * WRITER_QUEUE * 2 * (Bytes.roundUp(block, bufferBytes) / bufferBytes);
    if (byWriters > byHandlers) {
      reason.append(
          String.format(
              Locale.ROOT, "; the bucket cache's %d writers hold up to %d", WRITERS, byWriters));
    }
    return Math.max(byHandlers, byWriters);
  }

  private static long minimalAllocateSize(Declared declared, long bufferBytes, Draft draft) {
    boolean disabled = declared.cacheMode() == CacheMode.DISABLED;
    var minimal =
        draft.value(
            HBaseKeys.MINIMAL_ALLOCATION,
            new Field<>(
                "spec.regionServers.allocator.minimalAllocateSize",
                declared.minimalAllocateSize().stream().mapToObj(Long::valueOf).findFirst()),
            disabled ? 1L : bufferBytes / 6,
            disabled
                ? "no block cache: everything comes from the pool; 1 and not 0, which takes one"
                    + " buffer too many at exact multiples of a buffer"
                : "floor("
                    + bufferBytes
                    + " / 6), HBase's own: what is smaller would waste most of a buffer",
            ALLOCATOR);
    if (minimal.value() < 0 || minimal.value() > bufferBytes) {
      draft.problem(
          minimal.field(),
          minimal.value()
              + " is out of range; from 0 to the buffer size "
              + bufferBytes
              + " is right");
    }
    return minimal.value();
  }
}
