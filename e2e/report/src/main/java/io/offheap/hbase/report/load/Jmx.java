package io.offheap.hbase.report.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Numbers of a JVM's beans, as servers of Hadoop and HBase serve them by HTTP at {@code /jmx}. */
final class Jmx {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final ObjectMapper JSON = new ObjectMapper();
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  // The data node's server forwards no request to change to version 2.
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final int port;

  /**
   * Creates one.
   *
   * @param port on loopback
   */
  Jmx(int port) {
    this.port = port;
  }

  /**
   * Returns a number.
   *
   * @throws IOException if the server does not have it
   */
  long number(String bean, String attribute) throws IOException {
    return number(bean(bean), bean, attribute);
  }

  private String bean(String bean) throws IOException {
    var uri = URI.create("http://127.0.0.1:%d/jmx?qry=%s".formatted(port, bean));
    var request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while it read " + uri, e);
    }
  }

  static long number(String response, String bean, String attribute) throws IOException {
    var value = JSON.readTree(response).path("beans").path(0).path(attribute);
    if (!value.isNumber()) {
      throw new IOException("no number %s of %s in %s".formatted(attribute, bean, response));
    }
    return value.asLong();
  }

  /** Returns the milliseconds that the compilers have taken. */
  long compilationMillis() throws IOException {
    return number("java.lang:type=Compilation", "TotalCompilationTime");
  }

  /** Returns the blocks that a region server has in its caches; 0 where it does not say. */
  long cachedBlocks() throws IOException {
    return cachedBlocks(bean(SERVER));
  }

  /**
   * HBase takes the bean away for a moment when a region comes or goes; a bean in between has its
   * name, and no numbers.
   */
  static long cachedBlocks(String response) throws IOException {
    var bean = JSON.readTree(response).path("beans").path(0);
    return bean.path("blockCacheCount").asLong(0);
  }
}
