package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.util.Optional;

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
    long handlers =
        draft
            .number(
                HBASE_SITE,
                "hbase.regionserver.handler.count",
                new Field<>("spec.regionServers.handlers", Optional.empty()),
                declared.handlers(),
                "spec.regionServers.handlers",
                Setting.USER)
            .value();
    blockSizes(declared, draft);
    long bufferBytes = bufferBytes(declared, draft);
    if (bufferBytes < KIB || bufferBytes > 64 * MIB) {
      draft.problem(
          Overrides.field(HBASE_SITE, KEY + "buffer.size"),
          bufferBytes + " is out of range; from 1024 to 67108864 is right");
      return new BufferPool(1, 1);
    }
    long count = count(declared, handlers, bufferBytes, draft);
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
    var blocks = declared.blocks();
    long largest = readBytes(blocks.dataBlockBytes(), blocks.cellBytes());
    var reason = formula("data", blocks.dataBlockBytes(), blocks.cellBytes());
    if (declared.cacheMode() == CacheMode.DISABLED) {
      long entry = Declared.Blocks.HBASE_DEFAULT.cellBytes();
      reason += "; no block cache, so index and bloom blocks are read through the pool as well";
      for (long bytes : new long[] {blocks.indexBlockBytes(), blocks.bloomBlockBytes()}) {
        if (readBytes(bytes, entry) > largest) {
          largest = readBytes(bytes, entry);
          reason += ": " + formula("index or bloom", bytes, entry);
        }
      }
    }
    return draft
        .number(
            HBASE_SITE,
            KEY + "buffer.size",
            Field.derivedFrom("spec.regionServers.hfile"),
            Bytes.roundUp(largest, KIB),
            reason + ", rounded up to 1 KiB",
            "HBase 2.6: HFileBlock reads the next header too; HBASE-21879 best practice 2, 3")
        .value();
  }

  private static String formula(String kind, long blockBytes, long cellBytes) {
    return String.format(
        "66 + (%d - 1 + %d) + 4 x %d = %d bytes for one %s block",
        blockBytes,
        cellBytes,
        checksums(HEADER_BYTES + blockBytes - 1 + cellBytes),
        readBytes(blockBytes, cellBytes),
        kind);
  }

  private static long count(Declared declared, long handlers, long bufferBytes, Draft draft) {
    long byHandlers = handlers * (HANDLER_BYTES / bufferBytes) * 2;
    long derived = Math.max(byHandlers, 1);
    var reason =
        String.format(
            "%d handlers x floor(2 MiB / %d) x 2 = %d", handlers, bufferBytes, byHandlers);
    long byOldFormula = handlers * 2 * HANDLER_BYTES / bufferBytes;
    if (byOldFormula != byHandlers) {
      reason += ", as HBase 2.6 computes it (its guide floors last and says " + byOldFormula + ")";
    }
    if (declared.cacheMode() == CacheMode.OFF_HEAP) {
      long perBlock =
          Bytes.roundUp(
                  readBytes(declared.blocks().dataBlockBytes(), declared.blocks().cellBytes()),
                  bufferBytes)
              / bufferBytes;
      // One queue that is full and one that was just drained and is being written.
      long writers = WRITERS * WRITER_QUEUE * 2 * perBlock;
      if (writers > derived) {
        derived = writers;
        reason += "; the bucket cache's " + WRITERS + " writers hold up to " + writers;
      }
    }
    if (declared.poolBytes().isPresent()) {
      long pool = declared.poolBytes().getAsLong();
      derived = pool / bufferBytes;
      reason = "spec.regionServers.allocator.poolSize: floor(" + pool + " / " + bufferBytes + ")";
    }
    var count =
        draft.number(
            HBASE_SITE,
            KEY + "max.buffer.count",
            Field.derivedFrom("spec.regionServers.allocator.poolSize"),
            derived,
            reason,
            declared.poolBytes().isPresent() ? Setting.USER : ALLOCATOR);
    if (count.value() < 1 || count.value() > Integer.MAX_VALUE) {
      draft.problem(
          count.field(),
          count.value()
              + " buffers of "
              + bufferBytes
              + " bytes; from 1 to 2147483647 buffers are right");
    }
    return count.value();
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
                : "floor(" + bufferBytes + " / 6): what is smaller would waste most of a buffer",
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
