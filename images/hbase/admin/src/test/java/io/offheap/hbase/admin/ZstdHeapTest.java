package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDefaultDecodingContext;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDefaultEncodingContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The heap bytes that HBase's codec of ZSTD takes to unpack a block of 64 KiB, as docs/read-path.md
 * has them. It needs no patch where the block has one buffer: the codec unpacks between buffers.
 */
class ZstdHeapTest {
  private static final int BLOCK = 65_536 + 500;

  /** Until the codec's own objects are made, and the compiler has removed what does not escape. */
  private static final int TIMES = 3_000;

  @BeforeAll
  static void codecOfTheImage() {
    Configuration.addDefaultResource("image-default.xml");
  }

  @Test
  void blockInOneBufferTakesAlmostNoHeap() throws IOException {
    assertThat(heapBytes(1 << 20)).isLessThan(1_000);
  }

  @Test
  void blockInSeveralBuffersIsCopiedToTheHeap() throws IOException {
    assertThat(heapBytes(4_096)).isBetween(200_000L, 350_000L);
  }

  private static long heapBytes(int bufferSize) throws IOException {
    var configuration = new Configuration();
    var file = new HFileContextBuilder().withCompression(Algorithm.ZSTD).build();
    var compressed = compressed(configuration, data());
    var in = buffers(compressed.length, bufferSize);
    int from = 0;
    for (var part : in) {
      part.duplicate().put(compressed, from, part.limit());
      from += part.limit();
    }
    var source = ByteBuff.wrap(in);
    var target = ByteBuff.wrap(buffers(BLOCK, bufferSize));
    var decoder = new HFileBlockDefaultDecodingContext(configuration, file);
    var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TIMES; i++) {
      source.rewind();
      target.rewind();
      long before = thread.getCurrentThreadAllocatedBytes();
      decoder.prepareDecoding(compressed.length, BLOCK, target, source);
      least = Math.min(least, thread.getCurrentThreadAllocatedBytes() - before);
    }
    var unpacked = new byte[BLOCK];
    target.rewind().get(unpacked);
    assertThat(unpacked).isEqualTo(data());
    System.out.printf("ZSTD in buffers of %d bytes: %d heap bytes%n", bufferSize, least);
    return least;
  }

  /** As HBase writes it to a file, without the header. */
  private static byte[] compressed(Configuration configuration, byte[] data) throws IOException {
    var header = HConstants.HFILEBLOCK_DUMMY_HEADER;
    var context =
        new HFileBlockDefaultEncodingContext(
            configuration,
            DataBlockEncoding.NONE,
            header,
            new HFileContextBuilder().withCompression(Algorithm.ZSTD).build());
    try {
      var block = Bytes.add(header, data);
      var written = context.compressAndEncrypt(block, 0, block.length);
      return Arrays.copyOfRange(
          written.get(),
          written.getOffset() + header.length,
          written.getOffset() + written.getLength());
    } finally {
      context.close();
    }
  }

  /** Half of it repeats itself. */
  private static byte[] data() {
    var bytes = new byte[BLOCK];
    new Random(14).nextBytes(bytes);
    for (int i = 64; i < BLOCK; i += 128) {
      System.arraycopy(bytes, i - 64, bytes, i, Math.min(64, BLOCK - i));
    }
    return bytes;
  }

  private static ByteBuffer[] buffers(int size, int each) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int left = size; left > 0; left -= each) {
      parts.add(ByteBuffer.allocateDirect(Math.min(left, each)));
    }
    return parts.toArray(new ByteBuffer[0]);
  }
}
