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
  private static final int PLACES = 4;
  private static final Duration LATE = Duration.ofMillis(50);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final CountDownLatch hang = new CountDownLatch(1);
  private final AtomicInteger hung = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private volatile boolean isAway;

  private HostLookups hosts(Duration deadline) {
    return new HostLookups(
        new HostLookups.Bounds(PLACES, PLACES, LATE, deadline), this::address, nanos::get);
  }

  private InetAddress address(String host) throws UnknownHostException {
    if (host.startsWith("hung")) {
      hung.incrementAndGet();
      try {
        hang.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (host.startsWith("error")) {
      throw new LinkageError("no resolver");
    }
    if (isAway) {
      throw new UnknownHostException(host);
    }
    return InetAddress.getLoopbackAddress();
  }

  @AfterEach
  void goOn() {
    hang.countDown();
  }

  private static void assertFound(CompletableFuture<InetAddress> address) throws Exception {
    assertThat(address.get(60, TimeUnit.SECONDS).isLoopbackAddress()).isTrue();
  }

  @Test
  void hungServicesHoldUpNoOther() throws Exception {
    var hosts = hosts(LONG);
    var waiting =
        IntStream.range(0, PLACES).mapToObj(it -> hosts.address("hung.s" + it + ".svc")).toList();

    assertFound(hosts.address("a.healthy.svc"));
    // As long as they hang.
    assertFound(hosts.address("b.healthy.svc"));
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
  }

  /** Of slow services no more are looked up than these have places. */
  @Test
  void manyHostsOfHungServicesHoldUpNoOther() throws Exception {
    var hosts = hosts(LONG);
    IntStream.range(0, PLACES)
        .forEach(it -> Stream.of("-0", "-1", "-2").forEach(n -> hang(hosts, n, it)));

    await("that the places of slow services are taken").until(() -> hung.get() >= PLACES);
    assertThat(hung).hasValueLessThanOrEqualTo(2 * PLACES);
  }

  private static void hang(HostLookups hosts, String pod, int service) {
    var unused = hosts.address("hung" + pod + ".s" + service + ".svc");
  }

  @Test
  void hungHostHoldsUpNoOtherOfItsService() throws Exception {
    var hosts = hosts(LONG);
    var waiting = hosts.address("hung.service.svc");

    assertFound(hosts.address("a.service.svc"));
    assertThat(waiting).isNotDone();
  }

  @Test
  void hostIsLookedUpOnceForAllWhoWantIt() throws Exception {
    var hosts = hosts(LONG);
    var waiting = List.of(hosts.address("hung.service.svc"), hosts.address("hung.service.svc"));

    await("the lookup").until(() -> hung.get() > 0);
    hang.countDown();
    for (var it : waiting) {
      assertFound(it);
    }
    assertThat(hung).hasValue(1);
  }

  @Test
  void failsAtItsDeadlineAndIsNotLookedUpLater() throws Exception {
    var hosts = hosts(SHORT);
    // The fourth host of the service waits for a place.
    var waiting =
        IntStream.range(0, 4).mapToObj(it -> hosts.address("hung" + it + ".service.svc")).toList();

    for (var it : waiting) {
      assertThatThrownBy(() -> it.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
    nanos.addAndGet(SHORT.toNanos() + 1);
    hang.countDown();
    await("a place").until(() -> !hosts.address("a.service.svc").isCompletedExceptionally());
    assertThat(hung).as("lookups that were begun").hasValue(3);
  }

  @Test
  void errorEndsItsOwnLookupOnly() throws Exception {
    var hosts = hosts(LONG);
    for (int it = 0; it <= PLACES; it++) {
      var failed = hosts.address("error" + it + ".service.svc");
      assertThatThrownBy(() -> failed.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(LinkageError.class);
    }

    assertFound(hosts.address("a.service.svc"));
  }

  @Test
  void lastAddressServesForShortWhileTheDnsIsAway() throws Exception {
    var hosts = hosts(LONG);
    assertFound(hosts.address("a.service.svc"));
    isAway = true;

    nanos.addAndGet(LastAddresses.USED.toNanos());
    assertFound(hosts.address("a.service.svc"));

    nanos.incrementAndGet();
    var late = hosts.address("a.service.svc");
    assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(UnknownHostException.class);
  }
}
