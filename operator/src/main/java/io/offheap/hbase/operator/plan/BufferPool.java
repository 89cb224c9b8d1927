package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * HBase's {@code ByteBuffAllocator}: the pool of direct buffers that HFile blocks are read into.
 *
 * <p>A block read requests {@code A(B, c) = 66 + (B - 1 + c) + 4 * ceil((33 + B - 1 + c) / 16384)}
 * bytes: two block headers of 33 (the next block's is read too), a payload that ends with the cell
 * that reaches the block size {@code B}, and a checksum of 4 for each 16 KiB ({@code
 * hbase.hstore.bytes.per.checksum}). The buffer holds the largest of these, rounded up to 1 KiB; a
 * block in one buffer is verified and decoded without copies. Data blocks are always read through
 * the pool, index and bloom blocks only where no block cache keeps them on the heap.
 *
 * @param bufferBytes size of a buffer
 * @param count most buffers that the pool creates
 */
record BufferPool(long bufferBytes, long count) {

  /** Bounds of this operator, far over any use, so that sums do not exceed a long. */
  private static final long MOST_WRITERS = 10_000;

  private static final long LONGEST_WRITER_QUEUE = 10_000_000;

  private static final long LARGEST_BUFFER = 64 * MIB;

  long bytes() {
    return bufferBytes * count;
  }

  static BufferPool derive(Declared declared, BlockSizes blocks, Draft draft) {
    long bufferBytes = bufferBytes(declared, blocks, draft);
    long count = count(declared, blocks, bufferBytes, draft);
    long minimal = minimalAllocateSize(declared, bufferBytes, draft);
    var misfits =
        TableFit.misfits(bufferBytes, minimal, blocks.bytesPerChecksum(), declared.tables());
    if (!misfits.isEmpty()) {
      draft.remark(
          HBaseKeys.BUFFER_SIZE,
          Sentence.of(
              "; too small for live table {}",
              Sentence.join(
                  "; ", misfits.stream().map(it -> Sentence.of(it.toString())).toList())));
    }
    return new BufferPool(bufferBytes, count);
  }

  private static long bufferBytes(Declared declared, BlockSizes blocks, Draft draft) {
    var largest = largestRead(declared, blocks);
    long derived = Bytes.roundUp(largest.bytes(), KIB);
    var buffer =
        draft.value(
            HBaseKeys.BUFFER_SIZE,
            Field.derivedFrom(FieldPath.of("hfile")),
            derived,
            Sentence.of("{}, rounded up to 1 KiB{}", largest.formula(), blocks.origin()),
            "HBase 2.6: HFileBlock reads the next header too; HBASE-21879 best practice 2, 3");
    if (buffer.value() < KIB || buffer.value() > LARGEST_BUFFER) {
      draft.problem(
          buffer.field(),
          buffer.value()
              + " is out of range; must be from 1024 to "
              + LARGEST_BUFFER
              + ", and "
              + derived
              + " holds every block");
      return derived;
    }
    return buffer.value();
  }

  private static Read largestRead(Declared declared, BlockSizes blocks) {
    var perChecksum = blocks.perChecksum();
    var data = new Read("data", blocks.data(), blocks.cell(), perChecksum, "");
    if (declared.cacheMode() != CacheMode.DISABLED) {
      return data;
    }
    var entry = Input.number("entry", HFileDefaults.CELL, Unit.BYTES);
    var uncached = "; without a block cache it is read through the pool as well";
    return Stream.of(
            data,
            new Read(
                "index",
                meta(HBaseKeys.INDEX_BLOCK, blocks.indexBlockBytes()),
                entry,
                perChecksum,
                uncached),
            new Read(
                "bloom",
                meta(HBaseKeys.BLOOM_BLOCK, blocks.bloomBlockBytes()),
                entry,
                perChecksum,
                uncached))
        .reduce((one, other) -> other.bytes() > one.bytes() ? other : one)
        .orElse(data);
  }

  private static Input meta(Key<Long> key, long bytes) {
    return Input.number(key.name(), bytes, key.unit());
  }

  /** The largest read of a kind of block. */
  private record Read(String kind, Input block, Input cell, Input perChecksum, String remark) {
    long bytes() {
      return BlockRead.bytes((long) block.value(), (long) cell.value(), (long) perChecksum.value());
    }

    Input checksums() {
      var count =
          Input.number(
              "checksums",
              BlockRead.checksums(
                  (long) block.value(), (long) cell.value(), (long) perChecksum.value()),
              Unit.NONE);
      return perChecksum.field().map(count::from).orElse(count);
    }

    Sentence formula() {
      return Sentence.of(
          "66 + ({} - 1 + {}) + 4 x {} = {} bytes for one {} block{}",
          block,
          cell,
          checksums(),
          Input.number("block read", bytes(), Unit.BYTES),
          Sentence.of(kind),
          Sentence.of(remark));
    }
  }

  private static long count(Declared declared, BlockSizes blocks, long bufferBytes, Draft draft) {
    var field = FieldPath.of("allocator.poolSize");
    var writers = Writers.of(declared, draft);
    var buffer = Input.number(HBaseKeys.BUFFER_SIZE.name(), bufferBytes, Unit.BYTES);
    if (declared.poolBytes().isPresent()) {
      long pool = declared.poolBytes().getAsLong();
      long count = pool / bufferBytes;
      var sentence =
          Sentence.of(
              "{}: floor({} / {})",
              Sentence.name(field),
              Input.number(field.path(), pool, Unit.BYTES).from(field),
              buffer);
      draft.fromField(HBaseKeys.BUFFER_COUNT, count, sentence, field);
      return checkCount(new Chosen<>(count, field, true), bufferBytes, draft);
    }
    var derived = derivedCount(declared, blocks, buffer, writers);
    var count =
        draft.value(
            HBaseKeys.BUFFER_COUNT,
            Field.derivedFrom(field),
            derived.buffers(),
            derived.formula(),
            HBaseKeys.BUFFER_COUNT.source());
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
            "%d buffers of %d bytes; must be from 1 to %d buffers",
            count.value(),
            bufferBytes,
            Integer.MAX_VALUE));
    return 1;
  }

  /** A number of buffers and its formula. */
  private record Count(long buffers, Sentence formula) {}

  /**
   * The bucket cache's writers.
   *
   * @param count their number
   * @param blocks blocks that all of them hold: for each a full queue, and one that was just
   *     drained and is being written
   */
  private record Writers(Input count, Input blocks) {
    static Optional<Writers> of(Declared declared, Draft draft) {
      if (!declared.cacheMode().hasBucketCache()) {
        return Optional.empty();
      }
      long count = draft.passedOn(HBaseKeys.CACHE_WRITERS, 1L, MOST_WRITERS);
      long queue = draft.passedOn(HBaseKeys.CACHE_WRITER_QUEUE, 1L, LONGEST_WRITER_QUEUE);
      return Optional.of(
          new Writers(
              draft.following(
                  HBaseKeys.CACHE_WRITERS, Input.number("writers", count, Unit.THREADS)),
              draft.following(
                  HBaseKeys.CACHE_WRITER_QUEUE,
                  Input.number("by writers", count * queue * 2, Unit.BUFFERS))));
    }

    /** The buffers of their blocks. */
    Input buffers(long ofEach) {
      var buffers = Input.number(blocks.name(), (long) blocks.value() * ofEach, Unit.BUFFERS);
      return blocks.field().map(buffers::from).orElse(buffers);
    }
  }

  private static Count derivedCount(
      Declared declared, BlockSizes blocks, Input buffer, Optional<Writers> writers) {
    long bufferBytes = (long) buffer.value();
    long handlers = declared.handlers();
    long byHandlers = HBaseKeys.bufferCount(handlers, bufferBytes);
    var formula =
        Sentence.of(
            "{} handlers x floor(2 MiB / {}) x 2 = {}, as HBase 2.6 computes it",
            Input.number("handlers", handlers, Unit.HANDLERS).from(FieldPath.of("handlers")),
            buffer,
            Input.number("by handlers", byHandlers, Unit.BUFFERS));
    long byGuide = handlers * 2 * HBaseKeys.HANDLER_BYTES / bufferBytes;
    if (byGuide != byHandlers) {
      formula =
          formula.then(
              Sentence.of(
                  " (its guide floors last: {})",
                  Input.number("by the guide", byGuide, Unit.BUFFERS)));
    }
    if (writers.isEmpty()) {
      return new Count(
          Math.max(byHandlers, 1), byHandlers < 1 ? formula.then("; at least 1") : formula);
    }
    long block =
        BlockRead.bytes(blocks.dataBlockBytes(), blocks.cellBytes(), blocks.bytesPerChecksum());
    var byWriters = writers.get().buffers(Bytes.roundUp(block, bufferBytes) / bufferBytes);
    long held = (long) byWriters.value();
    if (held > byHandlers) {
      formula =
          formula.then(
              Sentence.of(
                  "; the bucket cache's {} writers hold up to {}",
                  writers.get().count(),
                  byWriters));
    }
    return new Count(Math.max(byHandlers, held), formula);
  }

  private static long minimalAllocateSize(Declared declared, long bufferBytes, Draft draft) {
    boolean disabled = declared.cacheMode() == CacheMode.DISABLED;
    var minimal =
        draft.value(
            HBaseKeys.MINIMAL_ALLOCATION,
            new Field<>(
                FieldPath.of("allocator.minimalAllocateSize"),
                declared.minimalAllocateSize().stream().mapToObj(Long::valueOf).findFirst()),
            disabled ? 1L : HBaseKeys.minimalAllocation(bufferBytes),
            disabled
                ? Sentence.of(
                    "no block cache: everything comes from the pool; 1 and not 0, which takes one"
                        + " buffer too many at exact multiples of a buffer")
                : Sentence.of(
                    "floor({} / 6), HBase's default: a smaller request would waste most of a"
                        + " buffer",
                    Input.number(HBaseKeys.BUFFER_SIZE.name(), bufferBytes, Unit.BYTES)),
            HBaseKeys.MINIMAL_ALLOCATION.source());
    if (minimal.value() < 0 || minimal.value() > bufferBytes) {
      draft.problem(
          minimal.field(),
          minimal.value() + " is out of range; must be from 0 to the buffer size " + bufferBytes);
    }
    return minimal.value();
  }
}
