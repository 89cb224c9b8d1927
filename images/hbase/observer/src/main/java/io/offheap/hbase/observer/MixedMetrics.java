package io.offheap.hbase.observer;

import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.hbase.metrics.Counter;

/**
 * Time between mixed collections: milliseconds from the end of one to the start of the next,
 * without another pause between the two. Short times leave hardly any time for requests.
 */
final class MixedMetrics implements CollectionListener {
  /** From the Xiaomi talk: mixed collections less than a second apart. */
  private static final long BACK_TO_BACK_MILLIS = 1000;

  private final Extreme smallestGap = Extreme.smallest(System::nanoTime);
  private final Counter backToBack;
  private final Counter regionsFreed;
  private volatile long lastGapMillis = ObserverMetrics.UNKNOWN;
  private volatile long lastRegionsFreed = ObserverMetrics.UNKNOWN;
  private Instant endOfMixed;

  MixedMetrics(ObserverMetrics metrics) {
    this.backToBack = metrics.counter("mixedBackToBackCount");
    this.regionsFreed = metrics.counter("mixedRegionsFreedCount");
    metrics.gauge("mixedRegionsFreedLast", () -> lastRegionsFreed);
    metrics.gauge("mixedGapLastMillis", () -> lastGapMillis);
    metrics.gauge("mixedGapMinMillis", smallestGap::value);
  }

  @Override
  public void finished(Collected collected) {
    if (collected.kind() == CollectionKind.MIXED) {
      if (endOfMixed != null) {
        gap(Duration.between(endOfMixed, collected.start()).toMillis());
      }
      endOfMixed = collected.end();
      if (collected.regionsFreed() != ObserverMetrics.UNKNOWN) {
        lastRegionsFreed = collected.regionsFreed();
        regionsFreed.increment(collected.regionsFreed());
      }
    } else if (collected.kind() != CollectionKind.CONCURRENT_CYCLE) {
      endOfMixed = null;
    }
  }

  private void gap(long millis) {
    lastGapMillis = millis;
    smallestGap.add(millis);
    if (millis < BACK_TO_BACK_MILLIS) {
      backToBack.increment();
    }
  }
}
