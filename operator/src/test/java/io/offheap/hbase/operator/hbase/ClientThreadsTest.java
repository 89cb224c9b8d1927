package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Threads of many connections, to servers that refuse them. */
@ResourceLock(HBaseJvm.CLIENT_THREADS)
class ClientThreadsTest {
  private static int closedPort;

  /** The shared threads are started by some connections. */
  @BeforeAll
  static void connectToSome() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closedPort = server.getLocalPort();
    }
    try (var connections = new HBaseConnections()) {
      failAll(connections, "some", 20);
    }
  }

  private static void failAll(HBaseConnections connections, String name, int clusters) {
    var attempts =
        IntStream.range(0, clusters)
            .mapToObj(
                it ->
                    connections.get(
                        new ResourceID(name + it, "ns"), List.of("localhost:" + closedPort)))
            .toList();
    for (var attempt : attempts) {
      assertThatThrownBy(() -> attempt.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("localhost:" + closedPort);
    }
  }

  private static Set<Long> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getId)
        .collect(Collectors.toSet());
  }

  @Test
  void moreConnectionsAddNoThreads() {
    var before = threads();
    try (var connections = new HBaseConnections()) {
      failAll(connections, "more", 100);

      var more = threads();
      more.removeAll(before);
      assertThat(more).as("threads of 100 connections").hasSizeLessThan(5);
    }
  }

  @Test
  void closedConnectionStopsNoOther() throws IOException {
    try (var open = new HBaseConnections()) {
      failAll(open, "open", 1);
      try (var closed = new HBaseConnections()) {
        failAll(closed, "closed", 1);
      }

      failAll(open, "open", 1);
      assertThat(ClientThreads.LOOPS.isShuttingDown()).isFalse();
    }
  }
}
