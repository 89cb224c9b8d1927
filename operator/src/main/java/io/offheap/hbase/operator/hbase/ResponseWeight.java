package io.offheap.hbase.operator.hbase;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * Estimates the heap that a parsed response takes, from its bytes and its message type, before an
 * object is made: a message of two bytes becomes an object of hundreds. The estimate assumes a
 * 64-bit JVM with 4-byte references, is rounded up, and is doubled, because HBase's client makes
 * its own objects from the message's. A field whose wire type differs from the declared type is
 * parsed as an unknown field, and is estimated as one.
 */
final class ResponseWeight {
  private static final int COPIES = 2;
  private static final int MESSAGE = 48;
  private static final int FIELD = 8;
  private static final int SLOT = 16;
  private static final int TEXT = 64;
  private static final int BYTES_OF_CHARACTER = 2;
  private static final int UNKNOWN = 256;
  private static final int DEEPEST = 32;
  private static final String TABLE_NAME = "hbase.pb.TableName";

  /** Servers send cells in a cell block, not in the message: HBase's client requests this. */
  private static final String CELL = "hbase.pb.Cell";

  private final CodedInputStream in;
  private final TableNames.OfCluster tables;
  private final long most;
  private long bytes;

  private ResponseWeight(CodedInputStream in, TableNames.OfCluster tables, long most) {
    this.in = in;
    this.tables = tables;
    this.most = most;
  }

  /**
   * Estimates the heap in bytes; the result is the limit plus one as soon as it exceeds the limit.
   *
   * @param message the whole response
   * @param tables records the table names in the response
   * @param most the limit in bytes
   * @throws InvalidResponseException if the response is refused whatever its size
   * @throws IOException if the bytes are no such message
   */
  static long of(Descriptor type, InputStream message, TableNames.OfCluster tables, long most)
      throws IOException {
    var weight = new ResponseWeight(CodedInputStream.newInstance(message, 4096), tables, most);
    weight.add(type, 0);
    return Math.min(weight.bytes, most + 1);
  }

  private void add(Descriptor type, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw new InvalidProtocolBufferException("over " + DEEPEST + " levels of messages");
    }
    if (type.getFullName().equals(CELL)) {
      throw new InvalidResponseException(
          "sent cells within its message; they must be in a cell block");
    }
    bytes += COPIES * (MESSAGE + (long) FIELD * type.getFields().size());
    boolean isTable = type.getFullName().equals(TABLE_NAME);
    var name = new byte[2][];
    while (bytes <= most) {
      int tag = in.readTag();
      if (tag == 0) {
        if (isTable) {
          addTable(name);
        }
        return;
      }
      var field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      int wire = WireFormat.getTagWireType(tag);
      if (isTable && field != null && wire == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        name[field.getIndex()] = partOfName();
      } else if (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        add(isOwn(field, wire) ? field : null, in.readRawVarint32(), depth);
      } else {
        addSingle(isOwn(field, wire) ? field : null, tag);
      }
    }
  }

  /** Whether the value on the wire is parsed as a value of the field. */
  private static boolean isOwn(FieldDescriptor field, int wire) {
    return field != null
        && (wire == field.getLiteType().getWireType()
            || (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED && field.isPackable()));
  }

  /** A number, or the end of a group. */
  private void addSingle(FieldDescriptor field, int tag) throws IOException {
    if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP) {
      throw new InvalidProtocolBufferException("a group; HBase sends none");
    }
    if (field != null && field.getJavaType() == JavaType.ENUM) {
      addEnum(field);
      return;
    }
    bytes += COPIES * (long) (field == null ? UNKNOWN : field.isRepeated() ? SLOT : 0);
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group that was not begun");
    }
  }

  private void addEnum(FieldDescriptor field) throws IOException {
    bytes +=
        COPIES
            * (long)
                (field.getEnumType().findValueByNumber(in.readEnum()) == null
                    ? UNKNOWN
                    : field.isRepeated() ? SLOT : 0);
  }

  private byte[] partOfName() throws IOException {
    int length = in.readRawVarint32();
    if (length < 0 || length > TableNames.LONGEST) {
      throw new InvalidResponseException(
          "sent a name of a table of "
              + Integer.toUnsignedString(length)
              + " bytes; must be at most "
              + TableNames.LONGEST);
    }
    bytes += COPIES * (TEXT + (long) length);
    return in.readRawBytes(length);
  }

  /** A parser merges two partial names that are in one message. */
  private void addTable(byte[][] name) throws IOException {
    if (name[0] == null || name[1] == null) {
      throw new InvalidProtocolBufferException("half a table's name");
    }
    tables.add(name[0], name[1]);
  }

  private void add(FieldDescriptor field, int length, int depth) throws IOException {
    if (field != null && field.getJavaType() == JavaType.MESSAGE) {
      int outer = in.pushLimit(length);
      bytes += COPIES * (long) SLOT;
      add(field.getMessageType(), depth + 1);
      if (bytes <= most) {
        in.checkLastTagWas(0);
        in.popLimit(outer);
      }
      return;
    }
    if (field != null && field.getJavaType() == JavaType.ENUM) {
      int outer = in.pushLimit(length);
      while (bytes <= most && in.getBytesUntilLimit() > 0) {
        addEnum(field);
      }
      in.popLimit(outer);
      return;
    }
    if (field == null) {
      bytes += COPIES * (UNKNOWN + (long) length);
    } else if (field.isPackable()) {
      bytes += COPIES * (SLOT + (long) FIELD * length);
    } else {
      bytes += COPIES * (TEXT + (long) BYTES_OF_CHARACTER * length);
    }
    if (bytes <= most) {
      in.skipRawBytes(length);
    }
  }
}
