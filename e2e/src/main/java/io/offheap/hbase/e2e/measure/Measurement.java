package io.offheap.hbase.e2e.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.offheap.hbase.e2e.measure.CaseReport.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches a region server while it is loaded, and afterwards compares its memory with its plan, as
 * JSON on standard output.
 *
 * <p>The whole is the most that was ever resident. Each part that can be separated is measured by
 * itself; what is left belongs to the plan's remaining items together.
 */
final class Measurement {
  static final String RESERVE = "offHeapReserve";
  private static final long SAMPLE_MILLIS = 500;
  private static final long ARRAY_UNIT = 4L << 20;

  private final long pid;
  private final Plan plan;
  private final ServerMetrics metrics;

  private Measurement(long pid, Plan plan, ServerMetrics metrics) {
    this.pid = pid;
    this.plan = plan;
    this.metrics = metrics;
  }

  /** Arguments: case, process, process of the load, port of the web server, plan, log. */
  public static void main(String[] args) throws IOException, InterruptedException {
    var metrics = new ServerMetrics(Integer.parseInt(args[3]));
    var load = ProcessHandle.of(Long.parseLong(args[2]));
    while (load.map(ProcessHandle::isAlive).orElse(false)) {
      metrics.sample();
      Thread.sleep(SAMPLE_MILLIS);
    }
    metrics.sample();
    var plan = Plan.read(Path.of(args[4]));
    var report =
        new Measurement(Long.parseLong(args[1]), plan, metrics)
            .report(args[0], GcLog.read(Path.of(args[5])));
    System.out.println(
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report));
  }

  private CaseReport report(String name, GcLog log) throws IOException {
    long resident = NativeMemory.peakResidentBytes(pid);
    var natives = NativeMemory.of(pid);
    var measured = measured(natives);
    var parts = new ArrayList<Part>();
    var rest = new ArrayList<String>();
    long restPredicted = 0;
    for (Map.Entry<String, Long> item : plan.budget().entrySet()) {
      if (measured.containsKey(item.getKey())) {
        parts.add(new Part(item.getKey(), item.getValue(), measured.get(item.getKey())));
      } else {
        rest.add(item.getKey());
        restPredicted += item.getValue();
      }
    }
    long known = parts.stream().mapToLong(Part::measured).sum();
    parts.add(new Part(String.join(" + ", rest), restPredicted, resident - known));
    long predicted = parts.stream().mapToLong(Part::predicted).sum();
    return new CaseReport(
        name,
        new Part("container", predicted, resident),
        List.copyOf(parts),
        breakdown(natives, resident - known),
        new Part("desiredSurvivor", plan.desiredSurvivorBytes(), log.desiredSurvivorBytes()),
        new Part("ihop", plan.ihopBytes(), log.ihopBytes()),
        new Part("poolBuffers", plan.poolBufferCount(), metrics.poolBuffers()),
        log.counts());
  }

  private Map<String, Long> measured(NativeMemory natives) {
    // The capacity counts whole buckets only; memory is allocated in whole array units.
    long bucketCache = (metrics.bucketCacheBytes() + ARRAY_UNIT - 1) / ARRAY_UNIT * ARRAY_UNIT;
    if (plan.budget().getOrDefault("bucketCache", 0L) == 0) {
      bucketCache = 0;
    }
    long pool = metrics.poolBuffers() * plan.poolBufferBytes();
    return Map.of(
        "heap",
        natives.residentBytes("Java Heap"),
        "bucketCache",
        bucketCache,
        "allocatorPool",
        pool,
        RESERVE,
        Math.max(0, metrics.directPeakBytes() - bucketCache - pool),
        "netty",
        metrics.nettyPeakBytes(),
        "g1",
        natives.residentBytes("GC") + natives.mallocPeakBytes("GC"));
  }

  /** The JVM's own account of the rest; the remainder is the C library's and the files'. */
  private static Map<String, Long> breakdown(NativeMemory natives, long rest) {
    var parts = new LinkedHashMap<String, Long>();
    for (String category :
        List.of(
            "Metaspace",
            "Class",
            "Shared class space",
            "Symbol",
            "Code",
            "Compiler",
            "Thread",
            "Internal",
            "Native Memory Tracking")) {
      parts.put(category, natives.residentBytes(category) + natives.mallocPeakBytes(category));
    }
    parts.put("Thread Stack", natives.residentBytes("Thread Stack"));
    parts.put("other", rest - parts.values().stream().mapToLong(Long::longValue).sum());
    return parts;
  }
}
