package io.offheap.hbase.operator.hbase;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps the last address of each host that was looked up, for a time in which the DNS does not
 * respond. An address is used for a short time only: the address of a deleted pod may be assigned
 * to another cluster's server.
 */
final class LastAddresses {
  /** How long after its lookup an address is used. */
  static final Duration USED = Duration.ofSeconds(60);

  /** How long after its lookup an address is kept, if others are stored meanwhile. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private static final int MOST = 10_000;

  private final LongSupplier nanos;
  private final Map<String, Seen> hosts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST || age(eldest.getValue()) > FORGOTTEN.toNanos();
        }
      };

  private record Seen(InetAddress address, long at) {}

  /**
   * Creates an empty instance.
   *
   * @param nanos a monotonic clock
   */
  LastAddresses(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void put(String host, InetAddress address) {
    hosts.put(host, new Seen(address, nanos.getAsLong()));
  }

  /** Empty if the lookup is too old. */
  synchronized Optional<InetAddress> get(String host) {
    return Optional.ofNullable(hosts.get(host))
        .filter(it -> age(it) <= USED.toNanos())
        .map(Seen::address);
  }

  private long age(Seen seen) {
    return nanos.getAsLong() - seen.at();
  }
}
