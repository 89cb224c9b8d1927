package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMemoryTest {
  private final TestRegistry registry = new TestRegistry();
  @TempDir private Path root;

  @BeforeEach
  void process() throws IOException {
    write("proc/self/status", "Name:\tjava\nVmHWM:\t  300 kB\nVmRSS:\t  200 kB\n");
  }

  private void write(String file, String text) throws IOException {
    var path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void read() {
    ProcessMemory.publish(registry.metrics(), root).run();
  }

  @Test
  void comparesWithTheLimitOfVersionTwo() throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.current", "300000\n");
    write("sys/fs/cgroup/memory.max", "409600\n");
    write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 50000\n");

    read();

    assertThat(registry.value("processResidentBytes")).isEqualTo(204_800);
    assertThat(registry.value("processResidentPeakBytes")).isEqualTo(307_200);
    assertThat(registry.value("containerUsageBytes")).isEqualTo(300_000);
    assertThat(registry.value("containerWorkingSetBytes")).isEqualTo(250_000);
    assertThat(registry.value("containerLimitBytes")).isEqualTo(409_600);
    assertThat(registry.share("processResidentShareOfLimit")).isEqualTo(0.5);
  }

  @Test
  void findsItsOwnGroupOfVersionOne() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/pod\n4:memory:/pod/rs\n");
    write("sys/fs/cgroup/memory/pod/rs/memory.usage_in_bytes", "300000\n");
    write("sys/fs/cgroup/memory/pod/rs/memory.limit_in_bytes", "409600\n");
    write("sys/fs/cgroup/memory/pod/rs/memory.stat", "inactive_file 1\ntotal_inactive_file 50000");

    read();

    assertThat(registry.value("containerWorkingSetBytes")).isEqualTo(250_000);
    assertThat(registry.value("containerLimitBytes")).isEqualTo(409_600);
  }

  @Test
  void takesTheRootOfWhatIsMountedInsideAContainer() throws IOException {
    write("proc/self/cgroup", "4:memory:/kubepods/pod1/c2\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "300000\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

    read();

    assertThat(registry.value("containerUsageBytes")).isEqualTo(300_000);
    assertThat(registry.value("containerLimitBytes")).isEqualTo(ObserverMetrics.UNKNOWN);
    assertThat(registry.share("processResidentShareOfLimit")).isEqualTo(-1);
  }

  @Test
  void continuesWhereThereIsNothingToRead() throws IOException {
    Files.delete(root.resolve("proc/self/status"));

    read();

    assertThat(registry.value("processResidentBytes")).isEqualTo(ObserverMetrics.UNKNOWN);
  }

  @Test
  void readsThisProcess() {
    ProcessMemory.publish(registry.metrics(), Path.of("/")).run();

    assertThat(registry.value("processResidentBytes")).isGreaterThan(10L << 20);
    assertThat(registry.value("containerUsageBytes")).isPositive();
  }
}
