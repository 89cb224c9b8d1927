package io.offheap.hbase.operator.proof;

import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;

/** Where HBase put a block that it read. */
final class Blocks {
  private Blocks() {}

  /** In one buffer of the pool: HBase verifies and decodes it without copies. */
  static boolean isOneDirectBuffer(HFileBlock block) {
    return isOneDirectBuffer(block.getBufferReadOnly());
  }

  static boolean isOneDirectBuffer(ByteBuff buff) {
    return buff instanceof SingleByteBuff single && single.nioByteBuffers()[0].isDirect();
  }
}
