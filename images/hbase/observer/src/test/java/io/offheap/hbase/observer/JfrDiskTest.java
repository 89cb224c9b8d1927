package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JfrDiskTest {
  private static final long MEBIBYTE = 1L << 20;

  @Test
  void readsWhatTheProcessWasStartedWith() {
    assertThat(JfrDisk.of("maxchunksize=2M,repository=/data/jfr,stackdepth=8", "/tmp", 5))
        .isEqualTo(new JfrDisk(Path.of("/data/jfr"), 5, 2 * MEBIBYTE));
  }

  @Test
  void hasJfrsOwnDefaults() {
    for (var options : List.of("", "stackdepth=8")) {
      assertThat(JfrDisk.of(options, "/tmp", 5))
          .isEqualTo(new JfrDisk(Path.of("/tmp"), 5, 12 * MEBIBYTE));
    }
  }

  /** HotSpot ends the process when its repository's disk is full, so nothing may be started. */
  @Test
  void doesNotStartWithoutRoom(@TempDir Path folder) throws IOException {
    var registry = new TestRegistry();
    var disk = new JfrDisk(folder, Long.MAX_VALUE / 2, MEBIBYTE);
    var settings = new ObserverSettings(true, Duration.ofSeconds(1), MEBIBYTE);
    try (var observer = new GcObserver(registry.metrics(), disk, settings)) {
      observer.run();

      assertThat(disk.hasReserve()).isTrue();
      assertThat(registry.value("gcObservedSinceMillis")).isEqualTo(ObserverMetrics.UNKNOWN);
    }
  }
}
