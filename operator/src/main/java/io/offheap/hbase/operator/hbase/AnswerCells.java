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
 * The cells that come beside a message, before HBase's client reads them: it makes an array as long
 * as a cell says that it is, and puts all of one that it cannot read into the text of an exception.
 * It makes more of the cells in {@code hbase:meta} than of others, so these weigh more.
 */
final class AnswerCells {
  /** The length, the lengths of key and value, and a key with nothing in it. */
  static final int SHORTEST = 24;

  /** Objects of their own, of 100 bytes for 24. */
  private static final int COPIES = 5;

  private static final int LENGTH = 4;
  private static final int LENGTHS = 8;

  /** The lengths of row and family, the time and the type. */
  private static final int KEY = 2 + 1 + 8 + 1;

  private static final String FAMILY = "info";
  private static final String REGION = "regioninfo";
  private static final byte[] MAGIC = {'P', 'B', 'U', 'F'};

  /** It makes a list with a place for each replica of a region up to the last. */
  private static final Pattern SERVER_OF_REPLICA = Pattern.compile("server_([0-9a-fA-F]{4})");

  private static final int MOST_REPLICAS = 100;

  /** The place and the region of the replica. */
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

  private AnswerCells(DataInputStream in, TableNames.OfCluster tables, long most) {
    this.in = in;
    this.tables = tables;
    this.most = most;
  }

  /**
   * Bytes of heap that they take, or more than the bound as soon as they are over it.
   *
   * @param bytes of all
   * @param tables learns of the names in them
   * @throws AnswerProblem where one is not to be read
   */
  static long weight(DataInputStream in, long bytes, TableNames.OfCluster tables, long most)
      throws IOException {
    var cells = new AnswerCells(in, tables, most);
    cells.weight = bytes * COPIES;
    for (long left = bytes; left > 0 && cells.weight <= most; ) {
      long length = left < LENGTH ? Long.MAX_VALUE : in.readInt();
      if (length < 0 || length > left - LENGTH) {
        throw new AnswerProblem("sent a cell that ends behind its answer");
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

  private void addReplica(String column) throws AnswerProblem {
    var replica = SERVER_OF_REPLICA.matcher(column);
    if (replica.matches()) {
      int id = Integer.parseInt(replica.group(1), 16);
      if (id > MOST_REPLICAS) {
        throw new AnswerProblem(
            "sent the server of a region's replica "
                + id
                + "; at most "
                + MOST_REPLICAS
                + " are taken");
      }
      weight += (long) REPLICA * (id + 1);
    }
  }

  private void addRegion(long length) throws IOException {
    var magic = in.readNBytes((int) Math.min(MAGIC.length, length));
    long left = length - magic.length;
    if (Arrays.equals(magic, MAGIC)) {
      var region = ByteStreams.limit(in, left);
      weight += AnswerWeight.of(RegionInfo.getDescriptor(), region, tables, most);
      region.skip(left);
    } else {
      in.skipNBytes(left);
    }
  }

  private static void check(boolean isReadable) throws AnswerProblem {
    if (!isReadable) {
      throw new AnswerProblem("sent a cell that cannot be read");
    }
  }
}
