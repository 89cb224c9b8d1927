package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JFR's repository as it is on disk. */
@Tag("verify")
class JfrDiskIT {
  private static final long MEBIBYTE = 1L << 20;

  /** Collections all the time, with chunks of 1 MB and 1 MiB of complete ones. */
  @Test
  void staysWithinItsBound(@TempDir Path folder) throws IOException, InterruptedException {
    var run =
        GcRun.of(
            folder,
            "churn",
            12_000,
            "-XX:+UseG1GC",
            "-Xmx64m",
            "-Xmn2m",
            "-XX:G1HeapRegionSize=1m");

    var bound = new JfrDisk(folder, MEBIBYTE, MEBIBYTE).boundBytes();
    assertThat(run.writtenToRepository())
        .as("enough to pass the bound if no chunk were deleted")
        .isGreaterThan(bound);
    assertThat(run.largestRepository()).isLessThan(bound);
    assertThat(run.metrics()).containsEntry("gcEventBytesLost", 0L);
  }
}
