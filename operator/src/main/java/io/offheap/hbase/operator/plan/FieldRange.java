package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import java.util.List;
import java.util.Optional;

/**
 * The range of a field of a region server group. The custom resource definition has the bounds of
 * whole numbers from here; its rules for quantities are compared with these ranges.
 *
 * @param field path of the field below its group
 * @param form the form of its values
 * @param min the least value
 * @param max the largest value
 */
public record FieldRange(String field, Form form, long min, long max) {
  /** The form of a field's values. */
  public enum Form {
    /** A whole number. */
    COUNT,
    /** Bytes. */
    BYTES,
    /** Whole MiB: HotSpot and HBase count in these, and would round a fraction. */
    MIB
  }

  public static final FieldRange HEAP =
      new FieldRange("memory.heap", Form.MIB, 256 * MIB, 4096 * GIB);
  public static final FieldRange OFF_HEAP =
      new FieldRange("memory.offHeap", Form.MIB, 16 * MIB, 65_536 * GIB);
  public static final FieldRange LIMIT =
      new FieldRange("memory.limit", Form.MIB, 256 * MIB, 131_072 * GIB);
  public static final FieldRange WORKING_SET =
      new FieldRange("memory.workingSet", Form.BYTES, 0, 1L << 60);
  public static final FieldRange OFF_HEAP_MEMSTORE =
      new FieldRange("memory.offHeapMemstore", Form.BYTES, 0, 65_536 * GIB);
  public static final FieldRange CACHE =
      new FieldRange("blockCache.bucketCacheSize", Form.MIB, MIB, 65_536 * GIB);
  public static final FieldRange CACHE_VOLUME =
      new FieldRange("blockCache.file.storage.size", Form.BYTES, 64 * MIB, 65_536 * GIB);
  public static final FieldRange POOL =
      new FieldRange("allocator.poolSize", Form.BYTES, MIB, 65_536 * GIB);
  public static final FieldRange SURVIVORS =
      new FieldRange("g1.survivorSize", Form.BYTES, 0, 4096 * GIB);
  public static final FieldRange CORES =
      new FieldRange("resources.limits.cpu", Form.COUNT, 1, 1024);
  public static final FieldRange HANDLERS = new FieldRange("handlers", Form.COUNT, 1, 10_000);
  public static final FieldRange BLOCK =
      new FieldRange("hfile.blockSize", Form.BYTES, KIB, 16 * MIB);
  public static final FieldRange INDEX_BLOCK =
      new FieldRange("hfile.indexBlockSize", Form.BYTES, KIB, 16 * MIB);
  public static final FieldRange BLOOM_BLOCK =
      new FieldRange("hfile.bloomBlockSize", Form.BYTES, KIB, 16 * MIB);
  public static final FieldRange CELL = new FieldRange("hfile.cellSize", Form.COUNT, 1, 10 * MIB);
  public static final FieldRange OPEN_FILES =
      new FieldRange("hfile.openFiles", Form.COUNT, 1, 10_000_000);

  /** All. */
  public static final List<FieldRange> ALL =
      List.of(
          HEAP,
          OFF_HEAP,
          LIMIT,
          WORKING_SET,
          OFF_HEAP_MEMSTORE,
          CACHE,
          CACHE_VOLUME,
          POOL,
          SURVIVORS,
          CORES,
          HANDLERS,
          BLOCK,
          INDEX_BLOCK,
          BLOOM_BLOCK,
          CELL,
          OPEN_FILES);

  /** What is wrong with a value; empty where nothing is. */
  Optional<String> problem(long value) {
    if (value < min || value > max) {
      return Optional.of(
          text(value) + " is out of range; must be from " + text(min) + " to " + text(max));
    }
    if (form == Form.MIB && value % MIB != 0) {
      return Optional.of(
          value
              + " bytes is not a whole number of MiB; must be "
              + quantity(Bytes.roundDown(value, MIB))
              + " or "
              + quantity(Bytes.roundUp(value, MIB)));
    }
    return Optional.empty();
  }

  /** The nearest value of the range, whole MiB rounded down. */
  public long nearest(long value) {
    long inRange = Math.max(min, Math.min(max, value));
    return form == Form.MIB ? Bytes.roundDown(inRange, MIB) : inRange;
  }

  private String text(long value) {
    return form == Form.COUNT ? Long.toString(value) : quantity(value);
  }
}
