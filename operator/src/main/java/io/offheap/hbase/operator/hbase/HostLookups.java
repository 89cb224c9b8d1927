package io.offheap.hbase.operator.hbase;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Looks up host names, which may take as long as the DNS does: a lookup cannot be interrupted, and
 * keeps its thread until it returns. The result has a deadline. Where a lookup fails or the
 * deadline passes, the last address of that host is the result for a short time ({@link
 * LastAddresses}).
 *
 * <p>A name that hangs holds up as few others as possible. Whoever wants a host that is being
 * looked up gets the result of that lookup. Of one service's hosts a few are looked up at a time. A
 * lookup that is late gives its place to another, and its service is slow from then on, until one
 * of its hosts is looked up in time: the hosts of slow services have few places of their own.
 */
final class HostLookups {
  private static final int OF_A_SERVICE = 3;
  private static final int IDLE_SECONDS = 60;

  /** All places of one kind are one lane. */
  private static final String ALL = "";

  private final Bounds bounds;
  private final Resolver resolver;
  private final LongSupplier nanos;
  private final LastAddresses last;
  private final Lanes services = new Lanes(OF_A_SERVICE);
  private final Lanes places;
  private final Lanes slowPlaces;
  private final Set<String> slow = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<String, Lookup> lookups = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DefaultThreadFactory("hbase-hosts", true));

  /** How a name becomes an address; may block. */
  interface Resolver {
    InetAddress address(String host) throws UnknownHostException;
  }

  /**
   * What lookups may take.
   *
   * @param places lookups at a time, each with a thread
   * @param slowPlaces further ones, of services whose last lookup was late
   * @param late from when a lookup is late
   * @param deadline of each result
   */
  record Bounds(int places, int slowPlaces, Duration late, Duration deadline) {}

  /** Of one host; for all who want it meanwhile. */
  private static final class Lookup {
    private final String host;
    private final String service;
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private final CompletableFuture<InetAddress> found = new CompletableFuture<>();
    private volatile long wanted;

    Lookup(String host) {
      this.host = host;
      this.service = service(host);
    }
  }

  /**
   * With no name looked up yet.
   *
   * @param nanos a time that only goes on
   */
  HostLookups(Bounds bounds, Resolver resolver, LongSupplier nanos) {
    this.bounds = bounds;
    this.resolver = resolver;
    this.nanos = nanos;
    this.last = new LastAddresses(nanos);
    this.places = new Lanes(bounds.places());
    this.slowPlaces = new Lanes(bounds.slowPlaces());
  }

  /** By the JVM, which keeps an address for some seconds ({@code sun.net.inetaddr.ttl}). */
  static InetAddress resolve(String host) throws UnknownHostException {
    return InetAddress.getByName(host);
  }

  /** The names of one service's hosts differ in their first part. */
  static String service(String host) {
    return host.substring(host.indexOf('.') + 1);
  }

  /** The address of a host; fails with what the lookup throws, or at the deadline. */
  CompletableFuture<InetAddress> address(String host) {
    var lookup =
        lookups.compute(
            host,
            (name, running) -> {
              var it = running == null ? new Lookup(name) : running;
              it.wanted = nanos.getAsLong();
              return it;
            });
    if (lookup.isBegun.compareAndSet(false, true)) {
      var unused = services.run(lookup.service, () -> begin(lookup));
    }
    return lookup
        .found
        .copy()
        .orTimeout(bounds.deadline().toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            failure ->
                last.get(host)
                    .orElseThrow(
                        () ->
                            failure instanceof CompletionException it
                                ? it
                                : new CompletionException(failure)));
  }

  /** The last address, where it may still be used; never waits. */
  Optional<InetAddress> last(String host) {
    return last.get(host);
  }

  private CompletableFuture<InetAddress> begin(Lookup lookup) {
    var unused =
        slow.contains(lookup.service)
            ? slowPlaces.run(ALL, () -> start(lookup))
            : places.run(ALL, () -> startUntilLate(lookup));
    return lookup.found;
  }

  /** Ends with the lookup, or once a late one has a place among the slow ones. */
  private CompletableFuture<InetAddress> startUntilLate(Lookup lookup) {
    var place = new CompletableFuture<InetAddress>();
    if (slow.contains(lookup.service)) {
      var unused = slowPlaces.run(ALL, () -> start(lookup));
      place.complete(null);
      return place;
    }
    var found = start(lookup);
    var unused = found.whenComplete((address, failure) -> place.complete(null));
    unused =
        found
            .copy()
            .orTimeout(bounds.late().toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (address, failure) -> {
                  if (!found.isDone()) {
                    slow.add(lookup.service);
                    moveToSlow(found, place);
                  }
                });
    return place;
  }

  private void moveToSlow(
      CompletableFuture<InetAddress> found, CompletableFuture<InetAddress> place) {
    var unused =
        slowPlaces.run(
            ALL,
            () -> {
              place.complete(null);
              return found;
            });
  }

  private CompletableFuture<InetAddress> start(Lookup lookup) {
    if (isUnwanted(lookup)) {
      lookup.found.cancel(false);
    } else {
      threads.execute(() -> resolve(lookup));
    }
    return lookup.found;
  }

  /** Where it has waited past the deadline of all who wanted it, it is not looked up any more. */
  private boolean isUnwanted(Lookup lookup) {
    return lookups.computeIfPresent(
            lookup.host,
            (host, it) -> nanos.getAsLong() - it.wanted > bounds.deadline().toNanos() ? null : it)
        == null;
  }

  private void resolve(Lookup lookup) {
    long begun = nanos.getAsLong();
    try {
      var address = resolver.address(lookup.host);
      last.put(lookup.host, address);
      end(lookup, begun);
      lookup.found.complete(address);
    } catch (Throwable e) {
      // Whatever it is: the place is free only when the lookup has ended.
      end(lookup, begun);
      lookup.found.completeExceptionally(e);
    }
  }

  private void end(Lookup lookup, long begun) {
    lookups.remove(lookup.host, lookup);
    if (nanos.getAsLong() - begun < bounds.late().toNanos()) {
      slow.remove(lookup.service);
    } else {
      slow.add(lookup.service);
    }
  }
}
