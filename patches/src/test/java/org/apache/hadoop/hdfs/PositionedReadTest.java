package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a real HDFS. */
class PositionedReadTest {
  private static final int BLOCK = 1 << 20;
  private static final byte[] CONTENT = content(3 * BLOCK + 12345);

  private static final AtomicInteger TESTS = new AtomicInteger();
  private static final Configuration CONF = new Configuration();
  @TempDir private static Path directory;
  private static MiniDFSCluster hdfs;

  /** Each test has a file of its own, and may do to it what it likes. */
  private final org.apache.hadoop.fs.Path file =
      new org.apache.hadoop.fs.Path("/file" + TESTS.incrementAndGet());

  @BeforeAll
  static void start() throws IOException {
    CONF.setLong("dfs.blocksize", BLOCK);
    // A read without a live replica waits three times, by default for half a minute in all.
    CONF.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    hdfs = new MiniDFSCluster.Builder(CONF, directory.toFile()).numDataNodes(2).build();
    hdfs.waitActive();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown(true);
  }

  @BeforeEach
  void write() throws IOException {
    try (var out = hdfs.getFileSystem().create(file, (short) 2)) {
      out.write(CONTENT);
    }
  }

  @Test
  void everyByteIsRight() throws Exception {
    try (var fs = client()) {
      for (boolean checked : new boolean[] {true, false}) {
        fs.setVerifyChecksum(checked);
        readInThreads(fs, 400);
      }
    }
  }

  /** Connections in the cache are dead then, and their state with them. */
  @Test
  void dataNodesThatComeBackAreReadAgain() throws Exception {
    try (var fs = client()) {
      readInThreads(fs, 100);
      hdfs.restartDataNodes(true);
      hdfs.waitActive();
      readInThreads(fs, 100);
    }
  }

  @Test
  void aDamagedReplicaIsPassedOverAndNoReplicaIsAnError() throws Exception {
    ExtendedBlock first = DFSTestUtil.getFirstBlock(hdfs.getFileSystem(), file);
    hdfs.corruptReplica(0, first);
    try (var fs = client()) {
      readInThreads(fs, 50);
      hdfs.corruptReplica(1, first);
      assertThatThrownBy(
              () -> {
                try (var in = fs.open(file)) {
                  in.readFully(0, ByteBuffer.allocateDirect(BLOCK));
                }
              })
          .isInstanceOf(BlockMissingException.class);
    }
  }

  /** 13,782 bytes as published. In one JVM with HDFS; those to quote are of a region server. */
  @FailsOnStock
  @Test
  void aReadAllocatesLittle() throws Exception {
    assertThat(bytesPerRead()).as("bytes a read").isLessThan(4000);
  }

  private long bytesPerRead() throws IOException {
    var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int reads = 500;
    try (var fs = client()) {
      fs.setVerifyChecksum(false);
      try (var in = fs.open(file)) {
        var buffer = ByteBuffer.allocateDirect(65_000);
        long start = 0;
        for (int i = -reads; i < reads; i++) {
          if (i == 0) {
            start = memory.getCurrentThreadAllocatedBytes();
          }
          buffer.clear();
          in.readFully((i + reads) * 1000L, buffer);
        }
        return (memory.getCurrentThreadAllocatedBytes() - start) / reads;
      }
    }
  }

  private FileSystem client() throws IOException {
    var ours = new Configuration(CONF);
    // Of a name of its own, or the clients would share the cache of connections.
    ours.set("dfs.client.context", "of" + file);
    return FileSystem.newInstance(hdfs.getURI(), ours);
  }

  private void readInThreads(FileSystem fs, int reads) throws Exception {
    var threads = Executors.newFixedThreadPool(4);
    try (var in = fs.open(file)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        var random = new Random(seed);
        work.add(
            () -> {
              for (int i = 0; i < reads; i++) {
                int at = random.nextInt(CONTENT.length);
                int length = Math.min(1 + random.nextInt(200_000), CONTENT.length - at);
                boolean direct = random.nextBoolean();
                var buffer =
                    direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
                in.readFully(at, buffer);
                assertThat(buffer.flip().equals(ByteBuffer.wrap(CONTENT, at, length)))
                    .as("%s bytes at %s", length, at)
                    .isTrue();
              }
              return null;
            });
      }
      for (var done : threads.invokeAll(work)) {
        done.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(21879).nextBytes(content);
    return content;
  }
}
