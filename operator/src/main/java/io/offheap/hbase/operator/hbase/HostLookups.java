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
 * Looks up host names. A lookup takes as long as the DNS does: it cannot be interrupted, and keeps
 * its thread until it returns. The result has a deadline. If a lookup fails or the deadline passes,
 * the last address of the host is the result for a short time ({@link LastAddresses}).
 *
 * <p>A hanging name delays as few others as possible. Requests for a host that is being looked up
 * share the result. Of one service's hosts a few are looked up at a time. A lookup that is late
 * releases its slot, and its service counts as slow until one of its hosts is looked up in time:
 * the hosts of slow services have a few slots of their own.
 */
final class HostLookups {
  private static final int OF_A_SERVICE = 3;
  private static final int IDLE_SECONDS = 60;

  /** All slots of one kind share one limit. */
  private static final String ALL = "";

  private final Bounds bounds;
  private final Resolver resolver;
  private final LongSupplier nanos;
  private final LastAddresses last;
  private final TaskLimits services = new TaskLimits(OF_A_SERVICE);
  private final TaskLimits slots;
  private final TaskLimits slowSlots;
  private final Set<String> slow = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<String, Lookup> lookups = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads;

  /** Resolves a name to an address; may block. */
  interface Resolver {
    InetAddress address(String host) throws UnknownHostException;
  }

  /**
   * Limits of lookups.
   *
   * @param slots concurrent lookups, each with a thread
   * @param slowSlots further concurrent lookups, of services whose last lookup was late
   * @param late time after which a lookup is late
   * @param deadline deadline of each result
   */
  record Bounds(int slots, int slowSlots, Duration late, Duration deadline) {}

  /** The lookup of one host, shared by all that request it meanwhile. */
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
   * Creates an instance with no address.
   *
   * @param nanos a monotonic clock
   */
  HostLookups(Bounds bounds, Resolver resolver, LongSupplier nanos) {
    this.bounds = bounds;
    this.resolver = resolver;
    this.nanos = nanos;
    this.last = new LastAddresses(nanos);
    this.slots = new TaskLimits(bounds.slots());
    this.slowSlots = new TaskLimits(bounds.slowSlots());
    // As many threads as slots stay, so that their number does not depend on how many clusters are
    // looked up at a time. Lookups that hang, and those of slow services, have further ones.
    this.threads =
        new ThreadPoolExecutor(
            bounds.slots(),
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory("hbase-hosts", true));
  }

  /** By the JVM, which caches an address for some seconds ({@code sun.net.inetaddr.ttl}). */
  static InetAddress resolve(String host) throws UnknownHostException {
    return InetAddress.getByName(host);
  }

  /** The host's service: host names of one service differ in their first label. */
  static String service(String host) {
    return host.substring(host.indexOf('.') + 1);
  }

  /** The address of a host; fails with the exception of the lookup, or at the deadline. */
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

  /** The last address, if it may still be used; never blocks. */
  Optional<InetAddress> last(String host) {
    return last.get(host);
  }

  private CompletableFuture<InetAddress> begin(Lookup lookup) {
    var unused =
        slow.contains(lookup.service)
            ? slowSlots.run(ALL, () -> start(lookup))
            : slots.run(ALL, () -> startUntilLate(lookup));
    return lookup.found;
  }

  /** Ends with the lookup, or once a late lookup has a slot among the slow ones. */
  private CompletableFuture<InetAddress> startUntilLate(Lookup lookup) {
    var place = new CompletableFuture<InetAddress>();
    if (slow.contains(lookup.service)) {
      var unused = slowSlots.run(ALL, () -> start(lookup));
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
        slowSlots.run(
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

  /** Whether the deadline of all requests has passed; the host is then not looked up. */
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
      // Any Throwable: the slot must be released when the lookup has ended.
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
