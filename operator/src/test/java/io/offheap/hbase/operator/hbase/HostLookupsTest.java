package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A DNS that does not respond for some names. */
class HostLookupsTest {
  private static final int SLOTS = 4;
  private static final Duration LATE = Duration.ofMillis(50);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final CountDownLatch hang = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private volatile boolean isUnavailable;

  private HostLookups hosts(Duration deadline) {
    return new HostLookups(
        new HostLookups.Bounds(SLOTS, SLOTS, LATE, deadline), this::address, nanos::get);
  }

  private InetAddress address(String host) throws UnknownHostException {
    if (host.startsWith("hanging")) {
      hanging.incrementAndGet();
      try {
        hang.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (host.startsWith("error")) {
      throw new LinkageError("no resolver");
    }
    if (isUnavailable) {
      throw new UnknownHostException(host);
    }
    return InetAddress.getLoopbackAddress();
  }

  @AfterEach
  void endHang() {
    hang.countDown();
  }

  private static void assertFound(CompletableFuture<InetAddress> address) throws Exception {
    assertThat(address.get(60, TimeUnit.SECONDS).isLoopbackAddress()).isTrue();
  }

  @Test
  void hangingServicesDelayNoOther() throws Exception {
    var hosts = hosts(LONG);
    var waiting =
        IntStream.range(0, SLOTS).mapToObj(it -> hosts.address("hanging.s" + it + ".svc")).toList();

    assertFound(hosts.address("a.healthy.svc"));
    // As long as they hang.
    assertFound(hosts.address("b.healthy.svc"));
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
  }

  /** Of slow services, no more hosts are lastView up than there are slots for them. */
  @Test
  void manyHostsOfHangingServicesDelayNoOther() throws Exception {
    var hosts = hosts(LONG);
    IntStream.range(0, SLOTS)
        .forEach(it -> Stream.of("-0", "-1", "-2").forEach(n -> hang(hosts, n, it)));

    await("all slots of slow services in use").atMost(LONG).until(() -> hanging.get() >= SLOTS);
    assertThat(hanging).hasValueLessThanOrEqualTo(2 * SLOTS);
  }

  private static void hang(HostLookups hosts, String pod, int service) {
    var unused = hosts.address("hanging" + pod + ".s" + service + ".svc");
  }

  @Test
  void hangingHostDelaysNoOtherOfItsService() throws Exception {
    var hosts = hosts(LONG);
    var waiting = hosts.address("hanging.service.svc");

    assertFound(hosts.address("a.service.svc"));
    assertThat(waiting).isNotDone();
  }

  @Test
  void concurrentRequestsShareOneLookup() throws Exception {
    var hosts = hosts(LONG);
    var waiting =
        List.of(hosts.address("hanging.service.svc"), hosts.address("hanging.service.svc"));

    await("the lookup").atMost(LONG).until(() -> hanging.get() > 0);
    hang.countDown();
    for (var it : waiting) {
      assertFound(it);
    }
    assertThat(hanging).hasValue(1);
  }

  @Test
  void failsAtItsDeadlineAndIsNotLookedUpLater() throws Exception {
    var hosts = hosts(SHORT);
    // The fourth host of the service waits for a slot.
    var waiting =
        IntStream.range(0, 4)
            .mapToObj(it -> hosts.address("hanging" + it + ".service.svc"))
            .toList();
    await("the service's slots are taken").atMost(LONG).until(() -> hanging.get() == 3);

    for (var it : waiting) {
      assertThatThrownBy(() -> it.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
    nanos.addAndGet(SHORT.toNanos() + 1);
    hang.countDown();
    assertFound(hosts.address("a.service.svc"));
    assertThat(hanging).as("lookups that were begun").hasValue(3);
  }

  @Test
  void errorEndsItsOwnLookupOnly() throws Exception {
    var hosts = hosts(LONG);
    for (int it = 0; it <= SLOTS; it++) {
      var failed = hosts.address("error" + it + ".service.svc");
      assertThatThrownBy(() -> failed.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(LinkageError.class);
    }

    assertFound(hosts.address("a.service.svc"));
  }

  @Test
  void usesLastAddressForShortTimeWithoutDns() throws Exception {
    var hosts = hosts(LONG);
    assertFound(hosts.address("a.service.svc"));
    isUnavailable = true;

    nanos.addAndGet(LastAddresses.USED.toNanos());
    assertFound(hosts.address("a.service.svc"));

    nanos.incrementAndGet();
    var late = hosts.address("a.service.svc");
    assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(UnknownHostException.class);
  }
}
