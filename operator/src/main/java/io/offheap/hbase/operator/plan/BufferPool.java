package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;

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
  private static final int HEADER_BYTES = 33;
  private static final int CHECKSUM_BYTES = 4;
  private static final int BYTES_PER_CHECKSUM = 16384;

  /** Rpc response and request room of a handler in HBase's own formula. */
  private static final long HANDLER_BYTES = 2 * MIB;

  /** Bucket cache writers and the queue of each, {@code BlockCacheFactory}. */
  private static final long WRITERS = 3;

  private static final long WRITER_QUEUE = 64;

  private static final long LARGEST_BUFFER = 64 * MIB;

  private static final String ALLOCATOR = "HBase 2.6: ByteBuffAllocator";
  private static final String KEY = "hbase.server.allocator.";

  long bytes() {
    return bufferBytes * count;
  }

  /** Bytes that one block read asks of the allocator. */
  static long readBytes(long blockBytes, long cellBytes) {
    long payload = blockBytes - 1 + cellBytes;
    return 2 * HEADER_BYTES + payload + CHECKSUM_BYTES * checksums(HEADER_BYTES + payload);
  }

  private static long checksums(long bytes) {
    return Bytes.roundUp(bytes, BYTES_PER_CHECKSUM) / BYTES_PER_CHECKSUM;
  }

  static BufferPool derive(Declared declared, Draft draft) {
    draft.fixed(
        HBASE_SITE,
        "hbase.regionserver.handler.count",
        Integer.toString(declared.handlers()),
        "spec.regionServers.handlers",
        Setting.USER,
        "spec.regionServers.handlers");
    blockSizes(declared, draft);
    long bufferBytes = bufferBytes(declared, draft);
    long count = count(declared, bufferBytes, draft);
    minimalAllocateSize(declared, bufferBytes, draft);
    return new BufferPool(bufferBytes, count);
  }

  private static void blockSizes(Declared declared, Draft draft) {
    draft.fixed(
        HBASE_SITE,
        "hfile.index.block.max.size",
        Long.toString(declared.blocks().indexBlockBytes()),
        "spec.regionServers.hfile.indexBlockSize",
        Setting.USER,
        "spec.regionServers.hfile.indexBlockSize");
    draft.fixed(
        HBASE_SITE,
        "io.storefile.bloom.block.size",
        Long.toString(declared.blocks().bloomBlockBytes()),
        "spec.regionServers.hfile.bloomBlockSize",
        Setting.USER,
        "spec.regionServers.hfile.bloomBlockSize");
  }

  private static long bufferBytes(Declared declared, Draft draft) {
    var largest = largestRead(declared);
    long derived = Bytes.roundUp(largest.bytes(), KIB);
    var buffer =
        draft.number(
            HBASE_SITE,
            KEY + "buffer.size",
            Field.derivedFrom("spec.regionServers.hfile"),
            derived,
            largest.formula() + ", rounded up to 1 KiB",
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

  private static Read largestRead(Declared declared) {
    var blocks = declared.blocks();
    var data = new Read("data", blocks.dataBlockBytes(), blocks.cellBytes());
    if (declared.cacheMode() != CacheMode.DISABLED) {
      return data;
    }
    long entry = Declared.Blocks.HBASE_DEFAULT.cellBytes();
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
      return readBytes(blockBytes, cellBytes);
    }

    String formula() {
      return String.format(
          Locale.ROOT,
          "66 + (%d - 1 + %d) + 4 x %d = %d bytes for one %s block%s",
          blockBytes,
          cellBytes,
          checksums(HEADER_BYTES + blockBytes - 1 + cellBytes),
          bytes(),
          kind,
          remark);
    }
  }

  private static long count(Declared declared, long bufferBytes, Draft draft) {
    var field = "spec.regionServers.allocator.poolSize";
    var key = KEY + "max.buffer.count";
    if (declared.poolBytes().isPresent()) {
      long pool = declared.poolBytes().getAsLong();
      long count = pool / bufferBytes;
      var reason = field + ": floor(" + pool + " / " + bufferBytes + ")";
      draft.fixed(HBASE_SITE, key, Long.toString(count), reason, Setting.USER, field);
      return checkCount(new Chosen<>(count, field, true), bufferBytes, draft);
    }
    var reason = new StringBuilder();
    long derived = derivedCount(declared, bufferBytes, reason);
    var count =
        draft.number(
            HBASE_SITE, key, Field.derivedFrom(field), derived, reason.toString(), ALLOCATOR);
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

  private static long derivedCount(Declared declared, long bufferBytes, StringBuilder reason) {
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
    if (declared.cacheMode() != CacheMode.OFF_HEAP) {
      if (byHandlers < 1) {
        reason.append("; at least 1");
      }
      return Math.max(byHandlers, 1);
    }
    var blocks = declared.blocks();
    long block = readBytes(blocks.dataBlockBytes(), blocks.cellBytes());
    // One queue that is full and one that was just drained and is being written.
    long byWriters = WRITERS * WRITER_QUEUE * 2 * (Bytes.roundUp(block, bufferBytes) / bufferBytes);
    if (byWriters > byHandlers) {
      reason.append(
          String.format(
              Locale.ROOT, "; the bucket cache's %d writers hold up to %d", WRITERS, byWriters));
    }
    return Math.max(byHandlers, byWriters);
  }

  private static void minimalAllocateSize(Declared declared, long bufferBytes, Draft draft) {
    boolean disabled = declared.cacheMode() == CacheMode.DISABLED;
    var minimal =
        draft.number(
            HBASE_SITE,
            KEY + "minimal.allocate.size",
            new Field<>(
                "spec.regionServers.allocator.minimalAllocateSize",
                declared.minimalAllocateSize().stream().mapToObj(Long::valueOf).findFirst()),
            disabled ? 1 : bufferBytes / 6,
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
  }
}
