package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeapShareTest {
  private final AtomicLong heap = new AtomicLong();
  private final AtomicLong pool = new AtomicLong();
  private final AtomicLong now = new AtomicLong();
  private final HeapShare share = new HeapShare(heap::get, pool::get, now::get);

  private void tenSeconds(long heapBytes, long poolBytes) {
    heap.addAndGet(heapBytes);
    pool.addAndGet(poolBytes);
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    share.sample();
  }

  @Test
  void isZeroWhileNothingIsHandedOut() {
    share.sample();

    assertThat(share.value()).isZero();
  }

  @Test
  void isOfTheBytesSinceTheFirstSample() {
    heap.set(1_000_000);
    share.sample();
    tenSeconds(10, 30);

    assertThat(share.value()).isEqualTo(0.25).isEqualTo(share.value());
  }

  @Test
  void forgetsWhatIsLongerAgoThanAMinute() {
    share.sample();
    tenSeconds(100, 0);
    for (var i = 0; i < 5; i++) {
      tenSeconds(0, 100);
    }
    assertThat(share.value()).isEqualTo(100 / 600.0);

    tenSeconds(0, 100);

    assertThat(share.value()).isZero();
  }
}
