package io.offheap.hbase.operator.hbase;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Connections to region servers that are open between two requests: at most one to a server, and a
 * limited number in all. A connection that is not used for some time is closed, and one that is old
 * is not used again, so that its host is looked up again. Further requests have connections of
 * their own.
 */
final class KeptConnections {
  /** Those of the process, of all clusters and all readers. */
  static final KeptConnections OF_PROCESS =
      new KeptConnections(
          new Bounds(2_000, Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofSeconds(1)));

  private final Bounds bounds;
  private final Map<String, HttpConnection> idle = new HashMap<>();

  /**
   * Limits of kept connections.
   *
   * @param most connections in all
   * @param idle longest time from a response to the next request
   * @param age longest time from the connection's begin to its last request
   * @param firstByte how long a request on a kept connection waits for the first byte of the
   *     response: the server may no longer exist. Then the request is sent on a new connection. A
   *     connection whose response took longer is not kept
   */
  record Bounds(int most, Duration idle, Duration age, Duration firstByte) {}

  /**
   * A kept connection has failed before the server sent anything; the request may be sent again.
   */
  static final class StaleException extends IOException {
    private static final long serialVersionUID = 1;

    StaleException(Throwable cause) {
      super(cause);
    }
  }

  KeptConnections(Bounds bounds) {
    this.bounds = bounds;
  }

  Bounds bounds() {
    return bounds;
  }

  /** Takes the connection to a server for one request; empty if none is open. */
  Optional<HttpConnection> take(String authority) {
    HttpConnection connection;
    synchronized (this) {
      connection = idle.remove(authority);
    }
    if (connection != null
        && System.nanoTime() - connection.openedNanos() > bounds.age().toNanos()) {
      connection.close();
      return Optional.empty();
    }
    return Optional.ofNullable(connection);
  }

  /**
   * Keeps a connection; false if it must be closed. Of two to one server the younger is kept: the
   * older may lead to a process that has another in its place.
   */
  boolean put(HttpConnection connection) {
    HttpConnection older;
    synchronized (this) {
      older = idle.get(connection.authority());
      if (older == null ? idle.size() >= bounds.most() : isYounger(older, connection)) {
        return false;
      }
      idle.put(connection.authority(), connection);
    }
    if (older != null) {
      older.close();
    }
    return true;
  }

  private static boolean isYounger(HttpConnection one, HttpConnection other) {
    return one.openedNanos() - other.openedNanos() > 0;
  }

  /** Forgets a connection that is being closed. */
  synchronized void remove(HttpConnection connection) {
    idle.remove(connection.authority(), connection);
  }

  /** Connections that wait for a request. */
  synchronized int size() {
    return idle.size();
  }
}
