package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hbase.thirdparty.com.google.common.io.ByteStreams;

/**
 * Checks the cell block that follows a message, before HBase's client parses it: the client
 * allocates an array of the length that a cell declares, and copies a cell that it cannot parse
 * into the text of an exception. The client makes more objects of cells of {@code hbase:meta} than
 * of other cells, so they are estimated higher.
 */
final class ResponseCells {
  /** The length, the lengths of key and value, and a key of an empty row. */
  static final int SHORTEST = 24;

  /** The client's own objects take about 100 bytes for a cell of 24. */
  private static final int COPIES = 5;

  private static final int LENGTH = 4;
  private static final int LENGTHS = 8;

  /** The lengths of row and family, the timestamp and the type. */
  private static final int KEY = 2 + 1 + 8 + 1;

  private static final String FAMILY = "info";
  private static final String REGION = "regioninfo";
  private static final byte[] MAGIC = {'P', 'B', 'U', 'F'};

  /** The client makes a list with one entry for each replica of a region, up to the highest id. */
  private static final Pattern SERVER_OF_REPLICA = Pattern.compile("server_([0-9a-fA-F]{4})");

  private static final int MOST_REPLICAS = 100;

  /** The list entry and the region of a replica, in bytes. */
  private static final int REPLICA = 512;

  private static final Set<Byte> TYPES =
      Arrays.stream(KeyValue.Type.values())
          .map(KeyValue.Type::getCode)
          .collect(toUnmodifiableSet());

  private static final int LONGEST_NAME = 32;

  private final DataInputStream in;
  private final TableNames.OfCluster tables;
  private final long most;
  private long weight;

  private ResponseCells(DataInputStream in, TableNames.OfCluster tables, long most) {
    this.in = in;
    this.tables = tables;
    this.most = most;
  }

  /**
   * Estimates the heap that the cells take.
   *
   * @param bytes length of the cell block
   * @param tables records the table names in the cells
   * @throws InvalidResponseException if a cell cannot be parsed
   */
  static long weight(DataInputStream in, long bytes, TableNames.OfCluster tables, long most)
      throws IOException {
    var cells = new ResponseCells(in, tables, most);
    cells.weight = bytes * COPIES;
    for (long left = bytes; left > 0 && cells.weight <= most; ) {
      long length = left < LENGTH ? Long.MAX_VALUE : in.readInt();
      if (length < 0 || length > left - LENGTH) {
        throw new InvalidResponseException("sent a cell that is longer than its response");
      }
      cells.add(length);
      left -= LENGTH + length;
    }
    return cells.weight;
  }

  private void add(long length) throws IOException {
    check(length >= SHORTEST - LENGTH);
    long key = in.readInt();
    long value = in.readInt();
    check(key >= KEY && value >= 0 && LENGTHS + key + value == length);
    int row = in.readShort();
    check(row >= 0 && row <= key - KEY);
    in.skipNBytes(row);
    int family = in.readByte();
    check(family >= 0 && family <= key - KEY - row);
    var familyName = name(family);
    var column = name(key - KEY - row - family);
    check(in.readLong() >= 0);
    check(TYPES.contains(in.readByte()));
    if (familyName.equals(FAMILY)) {
      addReplica(column);
      if (column.equals(REGION)) {
        addRegion(value);
        return;
      }
    }
    in.skipNBytes(value);
  }

  private String name(long length) throws IOException {
    if (length > LONGEST_NAME) {
      in.skipNBytes(length);
      return "";
    }
    return new String(in.readNBytes((int) length), ISO_8859_1);
  }

  private void addReplica(String column) throws InvalidResponseException {
    var replica = SERVER_OF_REPLICA.matcher(column);
    if (replica.matches()) {
      int id = Integer.parseInt(replica.group(1), 16);
      if (id > MOST_REPLICAS) {
        throw new InvalidResponseException(
            "sent the server of a region's replica " + id + "; must be at most " + MOST_REPLICAS);
      }
      weight += (long) REPLICA * (id + 1);
    }
  }

  private void addRegion(long length) throws IOException {
    var magic = in.readNBytes((int) Math.min(MAGIC.length, length));
    long left = length - magic.length;
    if (Arrays.equals(magic, MAGIC)) {
      var region = ByteStreams.limit(in, left);
      weight += ResponseWeight.of(RegionInfo.getDescriptor(), region, tables, most);
      region.skip(left);
    } else {
      in.skipNBytes(left);
    }
  }

  private static void check(boolean isReadable) throws InvalidResponseException {
    if (!isReadable) {
      throw new InvalidResponseException("sent a cell that cannot be read");
    }
  }
}
