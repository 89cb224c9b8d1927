package io.offheap.hbase.e2e.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A region server's own metrics about memory, and the peaks of those that go up and down. */
final class ServerMetrics {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HBASE = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final String POOL_BUFFERS = "ByteBuffAllocatorUsedBufferCount";
  private static final int TRIES = 40;
  private static final Duration WAIT = Duration.ofMillis(500);

  private final int infoPort;
  private long nettyPeakBytes;
  private long directPeakBytes;
  private long bucketCacheBytes;
  private long poolBuffers;

  ServerMetrics(int infoPort) {
    this.infoPort = infoPort;
  }

  void sample() throws IOException {
    nettyPeakBytes = Math.max(nettyPeakBytes, of(HBASE + "IPC", "nettyDirectMemoryUsage"));
    directPeakBytes =
        Math.max(directPeakBytes, of("java.nio:type=BufferPool,name=direct", "MemoryUsed"));
    var server = bean(HBASE + "Server", POOL_BUFFERS);
    poolBuffers = server.path(POOL_BUFFERS).asLong();
    bucketCacheBytes =
        server.path("l2CacheSize").asLong() + server.path("l2CacheFreeSize").asLong();
  }

  private long of(String name, String attribute) throws IOException {
    return bean(name, attribute).required(attribute).asLong();
  }

  /** HBase takes its beans away for a moment when a region comes or goes, or their attributes. */
  private JsonNode bean(String name, String attribute) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      var bean = beans(name).path(0);
      if (bean.has(attribute)) {
        return bean;
      }
      LockSupport.parkNanos(WAIT.toNanos());
    }
    throw new IOException("no " + attribute + " in bean " + name);
  }

  private JsonNode beans(String name) throws IOException {
    var url = URI.create("http://127.0.0.1:" + infoPort + "/jmx?qry=" + name).toURL();
    try (var in = url.openStream()) {
      return JSON.readTree(in).path("beans");
    }
  }

  /** Netty's buffers, which {@code MaxDirectMemorySize} does not bound. */
  long nettyPeakBytes() {
    return nettyPeakBytes;
  }

  /** All buffers that {@code MaxDirectMemorySize} bounds. */
  long directPeakBytes() {
    return directPeakBytes;
  }

  /** Capacity of the bucket cache, full or not; it takes its memory at start. */
  long bucketCacheBytes() {
    return bucketCacheBytes;
  }

  /** How many buffers the allocator's pool ever had in use at once. */
  long poolBuffers() {
    return poolBuffers;
  }
}
