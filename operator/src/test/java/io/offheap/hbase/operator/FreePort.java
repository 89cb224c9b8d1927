package io.offheap.hbase.operator;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that a test starts in another process. They lie below those that the kernel
 * gives to connections: one of these could be taken between the choice and the server's start.
 */
public final class FreePort {
  private static final int FIRST = 15_000;
  private static final int LAST = 30_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST, LAST));

  private FreePort() {}

  /** A port at which nothing listens; another one in each call. */
  public static int next() {
    for (int tried = FIRST; tried < LAST; tried++) {
      int port = NEXT.getAndUpdate(it -> it + 1 < LAST ? it + 1 : FIRST);
      try (var socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // The next one may be free.
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " to " + LAST);
  }
}
