package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A bucket cache in a file. It takes no direct memory except the buffers into which its blocks are
 * read and the {@link RamBuffer} before it, and its index takes the same heap as that of other
 * caches. Its page cache counts as the container's memory, but the kernel reclaims it before it
 * kills a process.
 *
 * <p>Its size is declared, or the volume less 1/16: a file system takes up to 5 %, and a persistent
 * cache stores its index (some 100 bytes a block) twice, since the old one stays until the new one
 * is complete.
 */
final class FileCache {

  private static final FieldPath FIELD = FieldPath.of("blockCache.bucketCacheSize");
  private static final FieldPath PATH = FieldPath.of("blockCache.file.path");
  private static final FieldPath PERSISTENT = FieldPath.of("blockCache.file.persistent");
  private static final FieldPath STORAGE = FieldPath.of("blockCache.file.storage");
  private static final FieldPath STORAGE_SIZE = FieldPath.of("blockCache.file.storage.size");
  private static final String ENGINE_SOURCE = "HBase 2.6: BucketCache, FileIOEngine";
  private static final long UNIT = 4 * MIB;

  /** The largest number of MiB below which HBase's float is exact. */
  private static final long LARGEST_CACHE = (1L << 24) * MIB;

  private FileCache() {}

  /** Adds the settings of the file; returns its size in bytes. */
  static long derive(Declared declared, Buckets buckets, Draft draft) {
    var file = declared.cache().file();
    if (!file.folder().codePoints().allMatch(Texts::isInWord)) {
      draft.problem(
          PATH,
          "'"
              + file.folder()
              + "' is not a path; must be one without white space and control characters,"
              + " such as /cache");
    }
    draft.fixed(
        HBaseKeys.CACHE_ENGINE,
        CacheEngine.inFile(file.folder() + "/bucket.cache").text(),
        Sentence.name(PATH),
        ENGINE_SOURCE,
        PATH);
    persistence(file, draft);
    long least = Bytes.roundUp(buckets.leastCacheBytes(), UNIT);
    var volume = file.volumeBytes();
    var declaredBytes = declared.cache().bucketCacheBytes();
    if (volume.isEmpty()
        && declaredBytes.isEmpty()
        && draft.declared(HBaseKeys.CACHE_SIZE).isEmpty()) {
      draft.problem(
          FIELD,
          Sentence.of(
              "must be declared in mode File where {} is left out, for example 100Gi",
              Sentence.name(STORAGE)));
      return least;
    }
    long room = volume.orElse(Long.MAX_VALUE);
    var size =
        volume.isEmpty() && declaredBytes.isPresent()
            ? declaredSize(declaredBytes.getAsLong(), draft)
            : derivedSize(volume, declaredBytes, least, draft);
    var most = BigDecimal.valueOf(Math.min(room / 16 * 15, LARGEST_CACHE) / MIB);
    if (size.value().compareTo(BigDecimal.valueOf(least / MIB)) < 0
        || size.value().compareTo(most) > 0) {
      draft.problem(
          size.declared() ? size.field() : STORAGE_SIZE,
          String.format(
              Locale.ROOT,
              "bucket cache %s MiB; must be from %s, a bucket of each size, to %s%s",
              size.value().toPlainString(),
              mib(least),
              quantity(most.longValue() * MIB),
              volume.isPresent() ? ", 15/16 of the volume" : ""));
      return least;
    }
    return Bytes.ofMib(size.value());
  }

  /** The size that {@link #derive} returns, in bytes, without its checks. */
  static long plannedBytes(Declared declared, Buckets buckets, Draft draft) {
    long least = Bytes.roundUp(buckets.leastCacheBytes(), UNIT);
    var mib =
        draft
            .declared(HBaseKeys.CACHE_SIZE)
            .or(
                () ->
                    declared.cache().bucketCacheBytes().stream()
                        .mapToObj(bytes -> BigDecimal.valueOf(bytes / MIB))
                        .findFirst())
            .or(
                () ->
                    declared.cache().file().volumeBytes().stream()
                        .mapToObj(bytes -> BigDecimal.valueOf(derivedBytes(bytes) / MIB))
                        .findFirst())
            .orElse(BigDecimal.ZERO);
    boolean isRefused =
        mib.compareTo(BigDecimal.valueOf(least / MIB)) < 0
            || mib.compareTo(BigDecimal.valueOf(LARGEST_CACHE / MIB)) > 0;
    return isRefused ? least : Bytes.ofMib(mib);
  }

  private static long derivedBytes(long volume) {
    return Bytes.roundDown(volume / 16 * 15, UNIT);
  }

  private static Chosen<BigDecimal> declaredSize(long bytes, Draft draft) {
    long mib = bytes / MIB;
    draft.fromField(
        HBaseKeys.CACHE_SIZE,
        BigDecimal.valueOf(mib).stripTrailingZeros(),
        Sentence.of("MiB; {}", Sentence.name(FIELD)),
        FIELD);
    return new Chosen<>(BigDecimal.valueOf(mib), FIELD, true);
  }

  private static Chosen<BigDecimal> derivedSize(
      OptionalLong volume, OptionalLong declaredBytes, long least, Draft draft) {
    return draft.value(
        HBaseKeys.CACHE_SIZE,
        new Field<>(
            FIELD,
            declaredBytes.stream().mapToObj(bytes -> BigDecimal.valueOf(bytes / MIB)).findFirst()),
        BigDecimal.valueOf(derivedBytes(volume.orElse(least)) / MIB),
        volume.isPresent()
            ? Sentence.of(
                "MiB; 15/16 of the volume's {}",
                Input.mib("volume", volume.getAsLong()).from(STORAGE_SIZE))
            : Sentence.of("MiB; the smallest, since there is no volume"),
        ENGINE_SOURCE);
  }

  private static void persistence(Declared.CacheFile file, Draft draft) {
    if (!file.isPersistent()) {
      draft.unused(
          HBaseKeys.CACHE_PERSISTENCE,
          Sentence.of("use {}: true with a volume", Sentence.name(PERSISTENT)));
      return;
    }
    draft.fixed(
        HBaseKeys.CACHE_PERSISTENCE,
        file.folder() + "/bucket.map",
        Sentence.name(PERSISTENT),
        ENGINE_SOURCE,
        PERSISTENT);
    draft.value(
        HBaseKeys.CACHE_PERSISTENCE_CHUNK,
        10_000L,
        Sentence.of(
            "blocks of the index in one message; with HBase's default of 10,000,000 it is one"
                + " message of the whole index, on the heap"),
        "HBase 2.6: BucketProtoUtils");
  }
}
