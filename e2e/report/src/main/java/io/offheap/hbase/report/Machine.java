package io.offheap.hbase.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a unit was measured; nothing that identifies the machine.
 *
 * @param processor its model
 * @param memoryGib of the whole machine; a kernel does not reserve the same after each start
 * @param jdk version of the JVM that ran the servers
 * @param kernel its release
 */
public record Machine(String processor, int cores, long memoryGib, String jdk, String kernel) {

  private static final double GIB = 1 << 30;

  /** Returns the one that this process runs on. */
  static Machine present() throws IOException {
    var bean =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        model(),
        Runtime.getRuntime().availableProcessors(),
        Math.round(bean.getTotalMemorySize() / GIB),
        Runtime.version().toString(),
        System.getProperty("os.version"));
  }

  private static String model() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    }
  }
}
