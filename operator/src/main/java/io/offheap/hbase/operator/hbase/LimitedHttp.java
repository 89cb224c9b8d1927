package io.offheap.hbase.operator.hbase;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * GETs from servers that are not the operator's own. A user who may create a cluster controls what
 * responds there, so a response is limited: in bytes, and in the time from the request to the last
 * byte. A response over a limit is an error. It is parsed while it arrives: a GET costs one read
 * buffer and what its parser stores. The concurrent GETs of one service are limited; the deadline
 * of a waiting GET begins when its request is sent. If no server responds, the last of n GETs ends
 * after n / atOnce deadlines.
 *
 * <p>A GET has its own connection, which is closed after it, unless the caller permits that it is
 * kept for the next one. A request that fails on a kept connection before the server has sent
 * anything is sent once more, on a new connection and with a new deadline: a server may close a
 * connection at any time, and its pod may have another address.
 *
 * <p>The JDK's client is not used: it leaves the connection open if the head of a response is too
 * long, and leaks one more with each further GET.
 */
final class LimitedHttp {
  private final Duration deadline;
  private final int maxBytes;
  private final TaskLimits services;
  private final KeptConnections connections;

  /**
   * Creates a client.
   *
   * @param deadline deadline of each GET, from the request to the last byte, without the wait for
   *     other GETs and the host's lookup
   * @param maxBytes most bytes of the body
   * @param atOnce limit of concurrent GETs to one service's servers
   */
  LimitedHttp(Duration deadline, int maxBytes, int atOnce) {
    this(deadline, maxBytes, atOnce, KeptConnections.OF_PROCESS);
  }

  /** For tests: with other kept connections than those of the process. */
  LimitedHttp(Duration deadline, int maxBytes, int atOnce, KeptConnections connections) {
    this.deadline = deadline;
    this.maxBytes = maxBytes;
    this.services = new TaskLimits(atOnce);
    this.connections = connections;
  }

  /** How a GET is sent. */
  enum Reuse {
    /** On a connection of its own, after a lookup of the host. */
    NONE,
    /** On a kept connection if there is one, which is kept again. */
    PERMITTED
  }

  /**
   * Sends a GET and returns the parsed value. The future fails if the response is not complete
   * within the limits, with a {@link RefusedResponseException} if the server exceeds them.
   */
  <T> CompletableFuture<T> get(URI uri, Reuse reuse, BodyReader.Factory<T> reader) {
    return services.run(
        HostLookups.service(uri.getHost()),
        () ->
            reuse == Reuse.NONE
                ? connect(uri, reuse, reader)
                : connections
                    .take(uri.getAuthority())
                    .map(it -> send(it, uri, reader))
                    .orElseGet(() -> connect(uri, reuse, reader)));
  }

  private <T> CompletableFuture<T> send(
      HttpConnection kept, URI uri, BodyReader.Factory<T> reader) {
    var exchange = new HttpExchange<>(uri, reader, deadline, maxBytes, true);
    kept.send(exchange);
    return exchange
        .result()
        .exceptionallyCompose(
            failure ->
                failure instanceof KeptConnections.StaleException
                    ? connect(uri, Reuse.PERMITTED, reader)
                    : CompletableFuture.failedFuture(failure));
  }

  private <T> CompletableFuture<T> connect(URI uri, Reuse reuse, BodyReader.Factory<T> reader) {
    return ClientThreads.HOSTS
        .address(uri.getHost())
        .thenCompose(
            address -> {
              var exchange =
                  new HttpExchange<>(uri, reader, deadline, maxBytes, reuse == Reuse.PERMITTED);
              HttpConnection.open(
                  new InetSocketAddress(address, uri.getPort()), connections, exchange);
              return exchange.result();
            });
  }
}
