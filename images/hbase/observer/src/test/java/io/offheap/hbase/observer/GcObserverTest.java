package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** In the JVM of the test itself, whichever collector that has. */
class GcObserverTest {
  private static final Duration STREAM_DELAY = Duration.ofMinutes(2);

  private final TestRegistry registry = new TestRegistry();
  private final Disk disk = new Disk();

  private static ObserverSettings settings() {
    return new ObserverSettings(true, Duration.ofSeconds(1), 1L << 20);
  }

  private void collect() {
    var before = registry.value("gcFullCount");
    System.gc();
    await("the collection's events")
        .atMost(STREAM_DELAY)
        .until(() -> registry.value("gcFullCount") > before);
  }

  /** A full disk would end the process, so the stream goes first, and comes back afterwards. */
  @Test
  void givesWayToAFullDiskAndComesBack() {
    try (var observer = new GcObserver(registry.metrics(), disk, settings())) {
      disk.roomToStart = false;
      observer.run();
      assertThat(registry.value("gcObservedSinceMillis")).isEqualTo(ObserverMetrics.UNKNOWN);

      disk.roomToStart = true;
      observer.run();
      collect();
      var firstId = registry.value("gcFirstId");
      assertThat(registry.value("gcObservedSinceMillis")).isPositive();

      disk.reserve = false;
      observer.run();
      assertThat(registry.value("gcObservedSinceMillis")).isEqualTo(ObserverMetrics.UNKNOWN);
      var counted = registry.value("gcFullCount");
      System.gc();

      disk.reserve = true;
      observer.run();
      collect();
      assertThat(registry.value("gcFirstId"))
          .as("the one that was not read comes before")
          .isGreaterThan(firstId + 1);
      assertThat(registry.value("gcFullCount")).isGreaterThan(counted);
    }
    assertThat(registry.value("gcObservedSinceMillis")).isEqualTo(ObserverMetrics.UNKNOWN);
  }

  @Test
  void doesNotComeBackAfterItsEnd() {
    var observer = new GcObserver(registry.metrics(), disk, settings());
    observer.run();
    observer.close();

    observer.run();

    assertThat(registry.value("gcObservedSinceMillis")).isEqualTo(ObserverMetrics.UNKNOWN);
  }

  /** As full as the test says. */
  private static final class Disk implements DiskSpace {
    private boolean roomToStart = true;
    private boolean reserve = true;

    @Override
    public boolean hasRoomToStart() {
      return roomToStart;
    }

    @Override
    public boolean hasReserve() {
      return reserve;
    }
  }
}
