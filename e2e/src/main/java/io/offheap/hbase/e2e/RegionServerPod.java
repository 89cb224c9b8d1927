package io.offheap.hbase.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A running region server; requests are sent inside its pod. */
public record RegionServerPod(Kubectl kubectl, String name) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String FLUSHED = "flushedMemstoreBytes";
  private static final int TRIES = 40;
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final String OBSERVER = "Hadoop:service=HBase,name=RegionServer,sub=Observer";

  /**
   * Bytes that the allocator has handed out since the server's start.
   *
   * @param heap from the heap
   * @param pool from the pool
   */
  public record AllocatedBytes(long heap, long pool) {
    AllocatedBytes plus(AllocatedBytes other) {
      return new AllocatedBytes(heap + other.heap, pool + other.pool);
    }

    AllocatedBytes minus(AllocatedBytes other) {
      return new AllocatedBytes(heap - other.heap, pool - other.pool);
    }

    /** Share of the heap, from 0 to 1. */
    public double heapShare() {
      return heap + pool == 0 ? 0 : (double) heap / (heap + pool);
    }
  }

  /** Arguments of the Java process, as the kernel has them. */
  public List<String> arguments() {
    return List.of(exec("cat", "/proc/1/cmdline").split("\0"));
  }

  /** The configuration in force, from the server's own HTTP endpoint. */
  public Map<String, String> configuration() {
    var properties = new HashMap<String, String>();
    get("/conf?format=json")
        .path("properties")
        .forEach(it -> properties.put(it.path("key").asText(), it.path("value").asText()));
    return properties;
  }

  /** Memory limit of the container in bytes, from its control group. */
  public long memoryLimit() {
    var script =
        "cat /sys/fs/cgroup/memory.max 2>/dev/null"
            + " || cat /sys/fs/cgroup/memory/memory.limit_in_bytes";
    return Long.parseLong(exec("sh", "-c", script).strip());
  }

  /** The allocator's two byte counters. */
  public AllocatedBytes allocated() {
    var bean = bean(BEAN, "ByteBuffAllocatorPoolAllocationBytes");
    return new AllocatedBytes(
        bean.path("ByteBuffAllocatorHeapAllocationBytes").asLong(),
        bean.path("ByteBuffAllocatorPoolAllocationBytes").asLong());
  }

  /** Bytes of cells that it has flushed since its start. */
  public long flushedBytes() {
    return bean(BEAN, FLUSHED).required(FLUSHED).asLong();
  }

  /** Metrics of its observer. */
  public JsonNode observed() {
    return bean(OBSERVER, "GcObservedSinceMillis");
  }

  /** HBase takes its beans away for a moment when a region comes or goes, or their attributes. */
  private JsonNode bean(String name, String attribute) {
    for (int i = 0; i < TRIES; i++) {
      var bean = get("/jmx?qry=" + name).path("beans").path(0);
      if (bean.has(attribute)) {
        return bean;
      }
      LockSupport.parkNanos(WAIT.toNanos());
    }
    throw new IllegalStateException("no " + attribute + " in bean " + name + " of " + this.name);
  }

  private JsonNode get(String path) {
    // Any image with bash can do this; the base image need not have an HTTP client.
    var script =
        "exec 3<>/dev/tcp/127.0.0.1/16030"
            + " && printf 'GET %s HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' '"
            + path
            + "' >&3"
            + " && cat <&3";
    var response = exec("bash", "-c", script);
    try {
      return JSON.readTree(response.substring(response.indexOf("\r\n\r\n") + 4));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String exec(String... command) {
    var arguments = new ArrayList<>(List.of("exec", name, "--"));
    arguments.addAll(List.of(command));
    return kubectl.output(arguments.toArray(String[]::new));
  }
}
