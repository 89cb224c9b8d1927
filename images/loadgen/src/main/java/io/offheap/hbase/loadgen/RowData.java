package io.offheap.hbase.loadgen;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The keys and values of the verification table, as pure functions of the row number, so that a
 * reader can check every byte without the writer.
 */
final class RowData {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private RowData() {}

  /** Returns the row's key: 16 hexadecimal digits, different for every row and evenly spread. */
  static byte[] key(long row) {
    return hex(mix(row));
  }

  /** Returns {@code size} bytes of which no two rows have the same, and no codec saves any. */
  static byte[] value(long row, int size) {
    ByteBuffer words = ByteBuffer.allocate((size + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
    // A sequence that starts where no other row's does.
    long state = mix(~row);
    while (words.hasRemaining()) {
      state += GOLDEN_GAMMA;
      words.putLong(mix(state));
    }
    byte[] value = new byte[size];
    words.rewind().get(value);
    return value;
  }

  /**
   * Returns {@code size} bytes, 16 at least, that differ from those of every other row and version:
   * the row, the version, and a {@linkplain #value(long, int) value} of both.
   */
  static byte[] value(long row, int version, int size) {
    byte[] rest = value(row ^ ((long) version << Integer.SIZE), size - 2 * Long.BYTES);
    return ByteBuffer.allocate(size).putLong(row).putLong(version).put(rest).array();
  }

  /** Returns the {@code regions - 1} keys that cut the key space into equal parts. */
  static byte[][] splitKeys(int regions) {
    byte[][] keys = new byte[regions - 1][];
    long width = Long.divideUnsigned(-1L, regions);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = hex(width * (i + 1));
    }
    return keys;
  }

  /** SplitMix64's finalizer: a bijection, hence unique keys from unique row numbers. */
  private static long mix(long word) {
    long z = word + GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private static byte[] hex(long word) {
    return "%016x".formatted(word).getBytes(StandardCharsets.US_ASCII);
  }
}
