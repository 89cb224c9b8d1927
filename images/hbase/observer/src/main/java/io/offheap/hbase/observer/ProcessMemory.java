package io.offheap.hbase.observer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process's resident memory, from {@code /proc/self/status}, and its container's limit.
 *
 * <p>Values are as of the last sample. Without {@code /proc}, or without a limit, they are {@link
 * ObserverMetrics#UNKNOWN}.
 */
final class ProcessMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessMemory.class);
  private static final long KIBIBYTE = 1024;

  private final Path status;
  private final Cgroup cgroup;
  private boolean failureLogged;
  private volatile long residentBytes = ObserverMetrics.UNKNOWN;
  private volatile long residentPeakBytes = ObserverMetrics.UNKNOWN;
  private volatile long usageBytes = ObserverMetrics.UNKNOWN;
  private volatile long workingSetBytes = ObserverMetrics.UNKNOWN;
  private volatile long limitBytes = ObserverMetrics.UNKNOWN;

  private ProcessMemory(Path root) {
    this.status = root.resolve("proc/self/status");
    this.cgroup = Cgroup.find(root);
  }

  /**
   * Registers the metrics and returns the sampling that sets them.
   *
   * @param root {@code /}, or a folder in its place
   */
  static Runnable publish(ObserverMetrics metrics, Path root) {
    var memory = new ProcessMemory(root);
    metrics.gauge("processResidentBytes", () -> memory.residentBytes);
    metrics.gauge("processResidentPeakBytes", () -> memory.residentPeakBytes);
    metrics.gauge("containerUsageBytes", () -> memory.usageBytes);
    metrics.gauge("containerWorkingSetBytes", () -> memory.workingSetBytes);
    metrics.gauge("containerLimitBytes", () -> memory.limitBytes);
    metrics.share("processResidentShareOfLimit", memory::share);
    return memory::read;
  }

  private double share() {
    return residentBytes < 0 || limitBytes <= 0
        ? ObserverMetrics.UNKNOWN
        : (double) residentBytes / limitBytes;
  }

  private void read() {
    try {
      for (var line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          residentBytes = kibibytes(line);
        } else if (line.startsWith("VmHWM:")) {
          residentPeakBytes = kibibytes(line);
        }
      }
      limitBytes = cgroup.limitBytes().orElse(ObserverMetrics.UNKNOWN);
      var usage = cgroup.usageBytes();
      usageBytes = usage.orElse(ObserverMetrics.UNKNOWN);
      workingSetBytes = workingSet(usage);
    } catch (IOException | NumberFormatException e) {
      // On a system without /proc each sample fails; one line is enough.
      if (!failureLogged) {
        failureLogged = true;
        LOG.warn("Cannot read the process's memory; logged once", e);
      }
    }
  }

  // The kubelet computes the same, compares it with the limit and evicts by it.
  private long workingSet(OptionalLong usage) throws IOException {
    return usage.isEmpty()
        ? ObserverMetrics.UNKNOWN
        : Math.max(0, usage.getAsLong() - cgroup.inactiveFileBytes());
  }

  private static long kibibytes(String line) {
    var words = line.split("\\s+", -1);
    return Long.parseLong(words[1]) * KIBIBYTE;
  }
}
