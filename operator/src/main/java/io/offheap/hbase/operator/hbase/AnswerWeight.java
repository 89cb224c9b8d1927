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
 * What an answer takes of the heap once it is read, from its bytes and the type that it has, before
 * an object of it is made: a message of two bytes becomes an object of hundreds. The sum is for a
 * JVM of 64 bits whose references take four, and is rounded up; twice, as HBase's client makes
 * objects of its own from the message's. What is not of its field's type is unknown to its reader,
 * and weighs as such.
 */
final class AnswerWeight {
  private static final int COPIES = 2;
  private static final int MESSAGE = 48;
  private static final int FIELD = 8;
  private static final int SLOT = 16;
  private static final int TEXT = 64;
  private static final int BYTES_OF_CHARACTER = 2;
  private static final int UNKNOWN = 256;
  private static final int DEEPEST = 32;
  private static final String TABLE_NAME = "hbase.pb.TableName";

  /** Servers send cells beside the message: HBase's client tells them that it reads them there. */
  private static final String CELL = "hbase.pb.Cell";

  private final CodedInputStream in;
  private final TableNames.OfCluster tables;
  private final long most;
  private long bytes;

  private AnswerWeight(CodedInputStream in, TableNames.OfCluster tables, long most) {
    this.in = in;
    this.tables = tables;
    this.most = most;
  }

  /**
   * Bytes of heap, or one more than the bound as soon as they are over it.
   *
   * @param message the answer, to its end
   * @param tables learns of the names in it
   * @param most the bound
   * @throws AnswerProblem where it is not taken, whatever its weight is
   * @throws IOException where it is no such message
   */
  static long of(Descriptor type, InputStream message, TableNames.OfCluster tables, long most)
      throws IOException {
    var weight = new AnswerWeight(CodedInputStream.newInstance(message, 4096), tables, most);
    weight.add(type, 0);
    return Math.min(weight.bytes, most + 1);
  }

  private void add(Descriptor type, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw new InvalidProtocolBufferException("over " + DEEPEST + " levels of messages");
    }
    if (type.getFullName().equals(CELL)) {
      throw new AnswerProblem("sent cells within its message; they are taken beside it");
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

  /** Whether what is on the wire becomes a value of the field. */
  private static boolean isOwn(FieldDescriptor field, int wire) {
    return field != null
        && (wire == field.getLiteType().getWireType()
            || (wire == WireFormat.WIRETYPE_LENGTH_DELIMITED && field.isPackable()));
  }

  /** A number, or an end. */
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
      throw new AnswerProblem(
          "sent a name of a table of "
              + Integer.toUnsignedString(length)
              + " bytes; at most "
              + TableNames.LONGEST
              + " are taken");
    }
    bytes += COPIES * (TEXT + (long) length);
    return in.readRawBytes(length);
  }

  /** A reader puts two halves of names together where one message has them. */
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
