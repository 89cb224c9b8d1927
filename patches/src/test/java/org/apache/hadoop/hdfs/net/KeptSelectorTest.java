package org.apache.hadoop.hdfs.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection to a data node waits for bytes. */
class KeptSelectorTest {
  // Published HBase allocates 328 bytes for a wait. Of ours an object of 16 is left until the code
  // is compiled, which takes long on a busy machine.
  private static final long MOST_BYTES = 24;
  private static final int ROUNDS = 8;
  private static final int WAIT_SECONDS = 60;

  private ServerSocketChannel server;
  private final List<SocketChannel> nodes = new ArrayList<>();

  @BeforeEach
  void listen() throws IOException {
    server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    for (var node : nodes) {
      node.close();
    }
    server.close();
  }

  /** A selector of the pool: a key, an entry for it in two maps, and a node of the pool's queue. */
  @FailsOnStock
  @Test
  void aWaitAllocatesNoKey() throws Exception {
    var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int waits = 500;
    try (var peer = connect()) {
      var node = nodes.get(0);
      var bytes = ByteBuffer.allocateDirect(1);
      // Responds to a byte when the reader has long been waiting for it: what is there already is
      // read without a wait, which allocates nothing in published HBase either. One response in
      // ten that is waited for is enough to see it there.
      var echo =
          CompletableFuture.runAsync(
              () -> {
                var one = ByteBuffer.allocateDirect(1);
                try {
                  while (node.read(one.clear()) > 0) {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
                    node.write(one.flip());
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              },
              task -> new Thread(task).start());
      peer.setReadTimeout(WAIT_SECONDS * 1000);
      var out = (WritableByteChannel) peer.getOutputStream();
      // The least of some rounds: what a thread allocates once is no wait's.
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long before = memory.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < waits; i++) {
          bytes.clear();
          out.write(bytes);
          bytes.clear();
          peer.getInputStreamChannel().read(bytes);
        }
        least = Math.min(least, memory.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least / waits).as("bytes a wait").isLessThan(MOST_BYTES);
      peer.close();
      echo.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void aWaitEndsWithItsTimeout() throws Exception {
    try (var peer = connect()) {
      for (int timeout : new int[] {30, 300, 30}) {
        peer.setReadTimeout(timeout);
        long start = System.nanoTime();
        assertThatThrownBy(() -> read(peer))
            .isInstanceOf(SocketTimeoutException.class)
            .hasMessageStartingWith(timeout + " millis timeout while waiting for channel to be");
        assertThat(System.nanoTime() - start).isGreaterThan(timeout * 900_000L);
      }
      // Which is not its end.
      nodes.get(0).write(ByteBuffer.wrap(new byte[] {7}));
      assertThat(read(peer)).isEqualTo((byte) 7);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInterruptEndsAWait(boolean beforehand) throws Exception {
    try (var peer = connect()) {
      var end = new CompletableFuture<Throwable>();
      var stays = new CompletableFuture<Boolean>();
      var reader =
          new Thread(
              () -> {
                if (beforehand) {
                  Thread.currentThread().interrupt();
                }
                try {
                  read(peer);
                  end.complete(null);
                } catch (Throwable e) {
                  end.complete(e);
                }
                stays.complete(Thread.currentThread().isInterrupted());
              });
      reader.start();
      if (!beforehand) {
        awaitWaiting(reader);
        reader.interrupt();
      }
      assertThat(end.get(WAIT_SECONDS, TimeUnit.SECONDS))
          .isInstanceOfAny(InterruptedIOException.class, ClosedByInterruptException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
      assertThat(stays.get(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** As published, who waits would wait on until its timeout. */
  @Test
  void aCloseByAnotherThreadEndsAWait() throws Exception {
    var peer = connect();
    var end = new CompletableFuture<Throwable>();
    var reader =
        new Thread(
            () -> {
              try {
                read(peer);
                end.complete(null);
              } catch (Throwable e) {
                end.complete(e);
              }
            });
    reader.start();
    awaitWaiting(reader);
    peer.close();
    assertThat(end.get(WAIT_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(AsynchronousCloseException.class);
    assertThatThrownBy(() -> readOrThrowAtEnd(peer)).isInstanceOf(IOException.class);
  }

  /** The other side sees the end then, and the descriptor is free. */
  @ParameterizedTest
  @ValueSource(strings = {"unused", "waited", "timedOut", "closedOut", "interrupted", "waiting"})
  void noDescriptorIsLeft(String history) throws Exception {
    // What is opened once, like the selectors of the pool.
    for (int i = 0; i < 3; i++) {
      live(history);
    }
    long before = descriptors();
    for (int i = 0; i < 40; i++) {
      live(history);
    }
    // Selectors of the pool close after ten seconds without use.
    assertThat(descriptors() - before).as("descriptors left by 40 connections").isLessThan(20);
  }

  @Test
  void aConnectionTakesThreeDescriptorsAtMost() throws Exception {
    long before = descriptors();
    var peers = new ArrayList<NioInetPeer>();
    for (int i = 0; i < 20; i++) {
      var peer = connect();
      peers.add(peer);
      peer.setReadTimeout(1);
      for (int wait = 0; wait < 3; wait++) {
        assertThatThrownBy(() -> read(peer)).isInstanceOf(SocketTimeoutException.class);
      }
    }
    // And one for the other side of each.
    assertThat(descriptors() - before).isBetween(20L * 2, 20L * 4 + 5);
    for (var peer : peers) {
      peer.close();
    }
  }

  private void live(String history) throws Exception {
    var peer = connect();
    var node = nodes.remove(nodes.size() - 1);
    var byteOne = ByteBuffer.wrap(new byte[] {1});
    switch (history) {
      case "waited" -> {
        peer.setReadTimeout(1);
        assertThatThrownBy(() -> read(peer)).isInstanceOf(SocketTimeoutException.class);
        node.write(byteOne);
        peer.setReadTimeout(WAIT_SECONDS * 1000);
        assertThat(read(peer)).isEqualTo((byte) 1);
      }
      case "timedOut", "closedOut" -> {
        peer.setReadTimeout(1);
        assertThatThrownBy(() -> read(peer)).isInstanceOf(SocketTimeoutException.class);
        if (history.equals("closedOut")) {
          peer.getOutputStream().close();
          assertThat(peer.isClosed()).isTrue();
        }
      }
      case "interrupted", "waiting" -> {
        var reader =
            new Thread(
                () -> {
                  try {
                    read(peer);
                  } catch (IOException e) {
                    return;
                  }
                  throw new AssertionError("nothing was sent");
                });
        reader.start();
        awaitWaiting(reader);
        if (history.equals("interrupted")) {
          reader.interrupt();
          reader.join();
        }
      }
      default -> {
        // Never waits.
      }
    }
    peer.close();
    peer.close();
    assertThat(node.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    node.close();
  }

  private NioInetPeer connect() throws IOException {
    var peer = new NioInetPeer(SocketChannel.open(server.getLocalAddress()).socket());
    nodes.add(server.accept());
    return peer;
  }

  private static byte read(NioInetPeer peer) throws IOException {
    var bytes = ByteBuffer.allocateDirect(1);
    peer.getInputStreamChannel().read(bytes);
    return bytes.get(0);
  }

  private static void readOrThrowAtEnd(NioInetPeer peer) throws IOException {
    if (peer.getInputStreamChannel().read(ByteBuffer.allocate(1)) < 0) {
      throw new IOException("at its end");
    }
  }

  /** In the call of the system, as far as can be seen. */
  private static void awaitWaiting(Thread reader) {
    Awaitility.await("the reader waits")
        .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
        .pollInterval(1, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              for (var frame : reader.getStackTrace()) {
                if (frame.getMethodName().equals("select")) {
                  return true;
                }
              }
              return false;
            });
  }

  private static long descriptors() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
