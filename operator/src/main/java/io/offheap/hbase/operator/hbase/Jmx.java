package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.offheap.hbase.operator.render.Ports;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Reads management beans of region servers over their own HTTP endpoint. Of the servers of one
 * group, {@value #AT_ONCE} requests run at a time and the others wait; the deadline of a request
 * begins when it is sent.
 */
final class Jmx {
  /** The bean of the region server itself. */
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** A server's bean has some 30 KB. */
  private static final int MAX_BYTES = 1 << 18;

  /** What is kept of a bean, as the name of its server, is kept for each server. */
  private static final int LONGEST_TEXT = 4096;

  private static final int AT_ONCE = 16;

  private final ObjectMapper json =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(LONGEST_TEXT).build())
              .build());

  private final LimitedHttp http = new LimitedHttp(DEADLINE, MAX_BYTES, AT_ONCE);

  /**
   * A bean's attributes; a missing node where there is no answer within the deadline.
   *
   * @param failing takes why there is none
   */
  CompletableFuture<JsonNode> bean(String host, String name, Consumer<Throwable> failing) {
    return ask(host, "qry=" + name, failing);
  }

  /**
   * A bean with one attribute alone; a missing node where there is no answer within the deadline.
   *
   * @param failing takes why there is none
   */
  CompletableFuture<JsonNode> attribute(
      String host, String bean, String attribute, Consumer<Throwable> failing) {
    return ask(host, "get=" + bean + "::" + attribute, failing);
  }

  private CompletableFuture<JsonNode> ask(
      String host, String question, Consumer<Throwable> failing) {
    var uri = URI.create("http://" + host + ":" + Ports.REGIONSERVER_HTTP + "/jmx?" + question);
    return http.get(uri)
        .thenApply(this::parse)
        .exceptionally(
            failure -> {
              failing.accept(failure);
              return MissingNode.getInstance();
            });
  }

  private JsonNode parse(String body) {
    try {
      return json.readTree(body).path("beans").path(0);
    } catch (JsonProcessingException e) {
      throw new CompletionException(e);
    }
  }
}
