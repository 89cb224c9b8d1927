package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The bucket cache's bucket sizes: HBase's list with one that fits the planned blocks. A cached
 * block takes {@code 33 + (B - 1 + c) + 13} bytes (header, payload, metadata; neither checksums nor
 * the next header), so that a block one byte over 65 KiB would take a bucket of 97 KiB.
 */
final class BucketSizes {
  private static final int UNIT = 256;
  private static final int HEADER_AND_METADATA = 33 + 13;

  /** The longest list for which a bucket of the largest size is possible. */
  private static final long LARGEST_SIZE = Integer.MAX_VALUE / Buckets.ITEMS_OF_LARGEST;

  /** A persistent file engine stores with each block the time at which it was cached. */
  private static final int PERSISTENT_FILE = 8;

  private BucketSizes() {}

  /** Bytes that the largest data block takes in the cache. */
  private static long blockBytes(Declared declared, BlockSizes blocks) {
    return cachedBytes(blocks.dataBlockBytes() - 1 + blocks.cellBytes())
        + (isPersistent(declared) ? PERSISTENT_FILE : 0);
  }

  private static long cachedBytes(long dataBytes) {
    return HEADER_AND_METADATA + dataBytes;
  }

  /** The size that a block with so much data takes; empty where it would not be cached. */
  static OptionalLong sizeFor(Buckets buckets, long dataBytes) {
    return buckets.sizeFor(cachedBytes(dataBytes));
  }

  private static boolean isPersistent(Declared declared) {
    return declared.cacheMode() == CacheMode.FILE && declared.cache().file().isPersistent();
  }

  /** The bucket that fits the largest data block. */
  static long bucketFor(Declared declared, BlockSizes blocks) {
    return Bytes.roundUp(blockBytes(declared, blocks), UNIT);
  }

  /** HBase's own list with the bucket that fits. */
  static Buckets derivedFor(Declared declared, BlockSizes blocks) {
    var ascending = new TreeSet<>(Buckets.OWN.sizes());
    ascending.add(bucketFor(declared, blocks));
    return new Buckets(List.copyOf(ascending));
  }

  /** Those that {@link #derive} returns. */
  static Buckets plannedFor(Declared declared, BlockSizes blocks, Draft draft) {
    return draft
        .declared(HBaseKeys.BUCKET_SIZES)
        .flatMap(BucketSizes::read)
        .orElseGet(() -> derivedFor(declared, blocks));
  }

  /** Those of a property; empty where HBase would not start with them. */
  static Optional<Buckets> read(String text) {
    return Optional.of(Buckets.parse(text))
        .filter(sizes -> !sizes.isEmpty() && sizes.stream().noneMatch(BucketSizes::isWrong))
        .map(Buckets::new);
  }

  static Buckets derive(Declared declared, BlockSizes blocks, Draft draft) {
    long block = blockBytes(declared, blocks);
    long fitted = bucketFor(declared, blocks);
    var derived = derivedFor(declared, blocks);
    var chosen =
        draft.value(
            HBaseKeys.BUCKET_SIZES,
            derived.sizes().stream().map(String::valueOf).collect(Collectors.joining(",")),
            Sentence.of(
                "HBase's list with 33 + ({} - 1 + {}) + 13{} = {} rounded up to 256: {}",
                blocks.data(),
                blocks.cell(),
                Sentence.of(isPersistent(declared) ? " + 8" : ""),
                Input.number("cached block", block, Unit.BYTES),
                Input.number("bucket", fitted, Unit.BYTES)),
            HBaseKeys.BUCKET_SIZES.source());
    if (!chosen.declared()) {
      return derived;
    }
    var read = read(chosen.value());
    if (read.isEmpty()) {
      draft.problem(
          chosen.field(),
          chosen.value() + " are not bucket sizes; must be multiples of 256 with commas between");
      return derived;
    }
    var declaredSizes = read.get();
    if (declaredSizes.largest() < fitted) {
      draft.problem(
          chosen.field(),
          "a data block takes up to "
              + block
              + " bytes and would not be cached; must have one size of at least "
              + fitted);
    }
    return declaredSizes;
  }

  private static boolean isWrong(long size) {
    return size <= 0 || size % UNIT != 0 || size > LARGEST_SIZE;
  }
}
