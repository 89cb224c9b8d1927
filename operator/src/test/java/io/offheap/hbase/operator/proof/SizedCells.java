package io.offheap.hbase.operator.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;

/** Cells of exact sizes in the file, each of its own row, in order. */
final class SizedCells {
  /** 8 of lengths, 24 of key, 1 of sequence id: a cell with an empty value. */
  static final int SMALLEST = 33;

  private static final byte[] FAMILY = "f".getBytes(US_ASCII);
  private static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  private static final long TIMESTAMP = 1_700_000_000_000L;

  private final boolean random;
  private final Random values = new Random(21879);
  private int rows;

  private SizedCells(boolean random) {
    this.random = random;
  }

  /** Values that no codec compresses. */
  static SizedCells random() {
    return new SizedCells(true);
  }

  /** Values that every codec compresses. */
  static SizedCells zero() {
    return new SizedCells(false);
  }

  /** The next cell, with a value of this many bytes, an optional tag, and a sequence id. */
  static KeyValue tagged(int row, int valueBytes, OptionalInt tagBytes, long sequenceId) {
    var tags = new ArrayList<Tag>();
    tagBytes.ifPresent(bytes -> tags.add(new ArrayBackedTag((byte) 1, new byte[bytes])));
    var value = new byte[valueBytes];
    var cell = new KeyValue(row(row), FAMILY, QUALIFIER, TIMESTAMP, KeyValue.Type.Put, value, tags);
    cell.setSequenceId(sequenceId);
    return cell;
  }

  private static byte[] row(int number) {
    return String.format(Locale.ROOT, "%010d", number).getBytes(US_ASCII);
  }

  /** The next cell, of this many bytes in a file with sequence ids and without tags. */
  KeyValue ofBytes(int bytes) {
    var value = new byte[bytes - SMALLEST];
    if (random) {
      values.nextBytes(value);
    }
    var cell = new KeyValue(row(rows++), FAMILY, QUALIFIER, TIMESTAMP, value);
    if (cell.getLength() + 1 != bytes) {
      throw new IllegalStateException(cell + " has not " + bytes + " bytes");
    }
    return cell;
  }
}
