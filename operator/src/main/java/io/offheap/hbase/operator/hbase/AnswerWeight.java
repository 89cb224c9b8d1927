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
 * objects of its own from the message's.
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

  private final CodedInputStream in;
  private final TableNames tables;
  private final long most;
  private long bytes;

  private AnswerWeight(CodedInputStream in, TableNames tables, long most) {
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
   * @throws IOException where it is no such message
   */
  static long of(Descriptor type, InputStream message, TableNames tables, long most)
      throws IOException {
    var weight = new AnswerWeight(CodedInputStream.newInstance(message, 4096), tables, most);
    weight.add(type, 0);
    return Math.min(weight.bytes, most + 1);
  }

  private void add(Descriptor type, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw new InvalidProtocolBufferException("over " + DEEPEST + " levels of messages");
    }
    bytes += COPIES * (MESSAGE + (long) FIELD * type.getFields().size());
    boolean isTable = type.getFullName().equals(TABLE_NAME);
    long name = 0;
    while (bytes <= most) {
      int tag = in.readTag();
      if (tag == 0) {
        break;
      }
      var field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int length = in.readRawVarint32();
        if (isTable && length <= TableNames.LONGEST) {
          name = 31 * name + TableNames.hash(in.readRawBytes(length));
          bytes += COPIES * (TEXT + (long) length);
        } else {
          add(field, length, depth);
        }
      } else {
        bytes += COPIES * (long) (field == null ? UNKNOWN : field.isRepeated() ? SLOT : 0);
        if (!in.skipField(tag)) {
          throw new InvalidProtocolBufferException("a group that was not begun");
        }
      }
    }
    if (isTable) {
      tables.add(name);
    }
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
