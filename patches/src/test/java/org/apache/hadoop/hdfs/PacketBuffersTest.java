package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What HDFS sends without checksums is not received into a buffer of its own first. */
class PacketBuffersTest {
  private static final int ROOM_FOR_A_HEADER = 1024;

  @TempDir private Path directory;

  /** As published, the pool of buffers for packets has one of 64 KiB then. */
  @FailsOnStock
  @Test
  void aReadWithoutChecksumsUsesNoBufferOfAPacket() throws Exception {
    pooled().clear();
    byte[] content = new byte[200_000];
    new Random(3).nextBytes(content);
    var file = new org.apache.hadoop.fs.Path("/file");
    var hdfs = new MiniDFSCluster.Builder(new Configuration(), directory.toFile()).build();
    try {
      var fs = hdfs.getFileSystem();
      try (var out = fs.create(file)) {
        out.write(content);
      }
      fs.setVerifyChecksum(false);
      try (var in = fs.open(file)) {
        var buffer = ByteBuffer.allocateDirect(150_000);
        in.readFully(1234, buffer);
        assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(content, 1234, 150_000));
      }
    } finally {
      // With the connections that it has kept.
      hdfs.shutdown(true);
    }

    assertThat(pooled().keySet()).isNotEmpty().allMatch(bytes -> bytes <= ROOM_FOR_A_HEADER);
  }

  @SuppressWarnings("unchecked")
  private static Map<Integer, ?> pooled() throws Exception {
    var pool = PacketReceiver.class.getDeclaredField("bufferPool");
    pool.setAccessible(true);
    var bySize = pool.get(null).getClass().getDeclaredField("buffersBySize");
    bySize.setAccessible(true);
    return (Map<Integer, ?>) bySize.get(pool.get(null));
  }
}
