package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.util.internal.PlatformDependent;

/** Holds direct memory of HBase's Netty, as half-read requests do, until it is closed. */
public final class FilledNetty implements AutoCloseable {
  private static final int LARGEST = 512 << 20;

  private final List<ByteBuf> held = new ArrayList<>();

  private FilledNetty() {
    assertThat(PlatformDependent.usedDirectMemory()).as("Netty counts its memory").isNotNegative();
  }

  /** Holds all of it, but for less than a size and for what Netty's pools have taken before. */
  public static FilledNetty butFor(int left) {
    var filled = new FilledNetty();
    for (int size = LARGEST; size >= left; ) {
      if (!filled.takes(size)) {
        size /= 2;
      }
    }
    return filled;
  }

  /** Holds so much that a share of it is in use. */
  public static FilledNetty upTo(double share) {
    var filled = new FilledNetty();
    long wanted = (long) (PlatformDependent.maxDirectMemory() * share);
    for (long size; (size = wanted - PlatformDependent.usedDirectMemory()) > 0; ) {
      assertThat(filled.takes((int) Math.min(size, LARGEST))).isTrue();
    }
    return filled;
  }

  private boolean takes(int size) {
    try {
      held.add(PooledByteBufAllocator.DEFAULT.directBuffer(size, size));
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  @Override
  public void close() {
    held.forEach(ByteBuf::release);
    held.clear();
  }
}
