package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A DNS that does not respond for the names of one service. */
class HostLookupsTest {
  private static final String HUNG = ".hung.ns.svc";

  private final CountDownLatch hang = new CountDownLatch(1);
  private final AtomicInteger hung = new AtomicInteger();
  private final HostLookups hosts = new HostLookups(2, this::address);

  private InetAddress address(String host) {
    if (host.endsWith(HUNG)) {
      hung.incrementAndGet();
      try {
        hang.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return InetAddress.getLoopbackAddress();
  }

  @AfterEach
  void goOn() {
    hang.countDown();
  }

  @Test
  void hungServiceHoldsUpNoOther() throws Exception {
    var waiting = Stream.of("a", "b", "c").map(it -> hosts.address(it + HUNG)).toList();

    assertThat(hosts.address("a.other.ns.svc").get(60, TimeUnit.SECONDS).isLoopbackAddress())
        .isTrue();
    assertThat(waiting).noneMatch(it -> it.isDone() && !it.isCompletedExceptionally());
    assertThat(hung).as("threads that hang").hasValueLessThanOrEqualTo(1);
  }

  @Test
  void failsAtItsDeadlineAndIsNotLookedUpLater() throws Exception {
    var waiting = List.of(hosts.address("a" + HUNG), hosts.address("b" + HUNG));

    for (var it : waiting) {
      assertThatThrownBy(() -> it.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
    hang.countDown();
    assertThat(hosts.address("c" + HUNG).get(60, TimeUnit.SECONDS).isLoopbackAddress()).isTrue();
    assertThat(hung).as("lookups that were begun").hasValue(2);
  }
}
