package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;

/** Cells as they are in a cell block. */
final class Cells {
  private static final int PUT = 4;

  private Cells() {}

  /** With this many bytes of value. */
  static byte[] of(String row, String family, String column, int value) {
    return of(row, family, column, new byte[value]);
  }

  static byte[] of(String row, String family, String column, byte[] value) {
    int key = 12 + row.length() + family.length() + column.length();
    var cell = Unpooled.buffer();
    cell.writeInt(8 + key + value.length).writeInt(key).writeInt(value.length);
    cell.writeShort(row.length()).writeBytes(row.getBytes(UTF_8));
    cell.writeByte(family.length()).writeBytes(family.getBytes(UTF_8));
    cell.writeBytes(column.getBytes(UTF_8)).writeLong(1).writeByte(PUT).writeBytes(value);
    return Arrays.copyOf(cell.array(), cell.writerIndex());
  }

  static byte[] both(byte[] one, byte[] other) {
    var both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
