package io.offheap.hbase.operator.hbase;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Looks up host names, which may take as long as the DNS does. Of one service's hosts one is looked
 * up at a time and the others wait, so that a service whose names hang takes one thread. The result
 * fails at a deadline; a lookup cannot be interrupted, and its thread is free when it returns.
 */
final class HostLookups {
  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final int IDLE_SECONDS = 60;

  private final Lanes services = new Lanes(1);
  private final ThreadPoolExecutor threads;
  private final Resolver resolver;

  /** How a name becomes an address; may block. */
  interface Resolver {
    InetAddress address(String host) throws UnknownHostException;
  }

  HostLookups(int threads, Resolver resolver) {
    this.resolver = resolver;
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("hbase-hosts", true));
    this.threads.allowCoreThreadTimeOut(true);
  }

  /** By the JVM, which keeps an address for some seconds ({@code sun.net.inetaddr.ttl}). */
  static InetAddress resolve(String host) throws UnknownHostException {
    return InetAddress.getByName(host);
  }

  /** The address of a host; fails with what the lookup throws, or at the deadline. */
  CompletableFuture<InetAddress> address(String host) {
    var result = new CompletableFuture<InetAddress>();
    var unused =
        services
            .run(service(host), () -> lookUp(host, result))
            .whenComplete(
                (address, failed) -> {
                  if (failed == null) {
                    result.complete(address);
                  } else {
                    result.completeExceptionally(failed);
                  }
                });
    return result.orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The names of one service's hosts differ in their first part. */
  static String service(String host) {
    return host.substring(host.indexOf('.') + 1);
  }

  private CompletableFuture<InetAddress> lookUp(
      String host, CompletableFuture<InetAddress> wanted) {
    var found = new CompletableFuture<InetAddress>();
    threads.execute(
        () -> {
          // Those that waited behind one that hung are looked up no more.
          if (wanted.isDone()) {
            found.cancel(false);
            return;
          }
          try {
            found.complete(resolver.address(host));
          } catch (UnknownHostException | RuntimeException e) {
            found.completeExceptionally(e);
          }
        });
    return found;
  }
}
