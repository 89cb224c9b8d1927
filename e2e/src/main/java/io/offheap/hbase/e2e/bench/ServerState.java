package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * What a region server has used up to a moment.
 *
 * @param counters its own, and the bytes that its threads allocated
 * @param dataHits data blocks that it found in a cache, whichever it is
 * @param dataMisses data blocks that it looked for and did not find; twice each where a bucket
 *     cache is behind the one on the heap
 * @param uptimeSeconds since the JVM began, which is what the collector's log counts from
 * @param cpuSeconds that the process has used
 * @param callP99Millis p99 of the calls since the state before, by the server's own histogram
 * @param oldBytes that the old generation holds
 * @param peakResidentBytes the most that was ever resident of the process, and what it has in files
 *     of its container's memory
 * @param heapUsedBytes that the heap holds, garbage too
 */
record ServerState(
    Snapshot counters,
    long dataHits,
    long dataMisses,
    double uptimeSeconds,
    double cpuSeconds,
    double callP99Millis,
    long oldBytes,
    long peakResidentBytes,
    long heapUsedBytes) {
  private static final String OLD = "java.lang:type=MemoryPool,name=G1 Old Gen";
  private static final String CALLS = "Hadoop:service=HBase,name=RegionServer,sub=IPC";
  private static final String PEAK = "VmHWM:";

  /**
   * Prints that of a process as JSON. Arguments: the process, and the bytes of its files on a tmpfs
   * that it does not map.
   */
  public static void main(String[] args)
      throws IOException, JMException, AttachNotSupportedException, InterruptedException {
    try (var connector = Snapshot.connect(args[0])) {
      var connection = connector.getMBeanServerConnection();
      var runtime =
          ManagementFactory.newPlatformMXBeanProxy(
              connection, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
      var system =
          ManagementFactory.newPlatformMXBeanProxy(
              connection,
              ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME,
              OperatingSystemMXBean.class);
      var memory =
          ManagementFactory.newPlatformMXBeanProxy(
              connection, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
      var old = ManagementFactory.newPlatformMXBeanProxy(connection, OLD, MemoryPoolMXBean.class);
      // First: HBase's histograms begin anew with each reading that is not of the same second, and
      // the one after a load must be that of the load. Nothing else reads them.
      double callP99Millis =
          ((Number) connection.getAttribute(new ObjectName(CALLS), "TotalCallTime_99th_percentile"))
              .doubleValue();
      // Before the rest, since it waits for HBase's bean where that is away for a moment.
      var counters = Snapshot.of(connection);
      var state =
          new ServerState(
              counters,
              count(connection, "blockCacheDataHitCount"),
              count(connection, "blockCacheDataMissCount"),
              runtime.getUptime() / 1e3,
              system.getProcessCpuTime() / 1e9,
              callP99Millis,
              old.getUsage().getUsed(),
              peakResidentBytes(args[0]) + Long.parseLong(args[1]),
              memory.getHeapMemoryUsage().getUsed());
      System.out.println(new ObjectMapper().writeValueAsString(state));
    }
  }

  private static long count(MBeanServerConnection connection, String counter)
      throws IOException, JMException {
    return ((Number) connection.getAttribute(new ObjectName(Snapshot.SERVER), counter)).longValue();
  }

  private static long peakResidentBytes(String process) throws IOException {
    try (var lines = Files.lines(Path.of("/proc", process, "status"))) {
      return lines
          .filter(line -> line.startsWith(PEAK))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseThrow(() -> new IOException("no " + PEAK + " of process " + process));
    }
  }
}
