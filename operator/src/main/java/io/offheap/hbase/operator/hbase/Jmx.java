package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.offheap.hbase.operator.render.Ports;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads management beans of region servers over their own HTTP endpoint. */
final class Jmx {
  /** The bean of the region server itself. */
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  private static final Duration DEADLINE = Duration.ofSeconds(3);

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build();

  /** A bean's attributes within a deadline; a missing node where there is no answer. */
  CompletableFuture<JsonNode> bean(String host, String name) {
    return ask(host, "qry=" + name);
  }

  /**
   * A bean with one attribute alone, within a deadline; a missing node where there is no answer.
   */
  CompletableFuture<JsonNode> attribute(String host, String bean, String attribute) {
    return ask(host, "get=" + bean + "::" + attribute);
  }

  private CompletableFuture<JsonNode> ask(String host, String question) {
    var uri = URI.create("http://" + host + ":" + Ports.REGIONSERVER_HTTP + "/jmx?" + question);
    var request = HttpRequest.newBuilder(uri).timeout(DEADLINE).build();
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenApply(response -> parse(response.body()))
        // The request's own deadline ends with the response's head.
        .completeOnTimeout(MissingNode.getInstance(), DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(unreachable -> MissingNode.getInstance());
  }

  private JsonNode parse(String body) {
    try {
      return json.readTree(body).path("beans").path(0);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
