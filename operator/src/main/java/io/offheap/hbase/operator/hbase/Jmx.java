package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.render.Ports;
import io.offheap.hbase.operator.tune.Metric;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads management beans of region servers over their own HTTP endpoint. Of the servers of one
 * group, {@value #AT_ONCE} requests run at a time and the others wait; the deadline of a request
 * begins when it is sent. Only the requested attributes of a bean are sent by HBase, and only they
 * are stored, whatever a server sends.
 */
final class Jmx {
  /** The bean of the region server itself. */
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  /** The observer's bean. */
  static final String OBSERVER = Metric.Bean.OBSERVER.objectName();

  /** The bean of the calls to the server. */
  static final String CALLS = Metric.Bean.CALLS.objectName();

  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** The whole bean of a server has about 30 KB. */
  private static final int MAX_BYTES = 1 << 18;

  /** No text of HBase's beans is longer. */
  private static final int LONGEST_TEXT = 4096;

  /**
   * Texts that are stored, such as the server's name, are kept for each server: at most a host
   * name's length.
   */
  private static final int LONGEST_KEPT = 300;

  private static final int AT_ONCE = 16;

  private final LimitedHttp http = new LimitedHttp(DEADLINE, MAX_BYTES, AT_ONCE);
  private final JsonFactory json = JsonBodyReader.factory(LONGEST_TEXT);
  private final int port;

  /**
   * Attributes of a bean.
   *
   * @param path with the query of a request for them
   * @param attributes those that the bean has as numbers, texts or booleans are returned
   */
  record Query(String path, Set<String> attributes) {
    Query {
      attributes = Set.copyOf(attributes);
    }

    /** All attributes of the bean are sent: where most are used, their list would be longer. */
    static Query ofWhole(String bean, Set<String> attributes) {
      return new Query("/jmx?qry=" + bean, attributes);
    }

    /**
     * HBase sends these attributes alone. A region server's own bean has some hundred that are not
     * used, and their transport and parsing cost most of a request.
     */
    static Query ofPart(String bean, Set<String> attributes) {
      // HBase takes this for regular expressions, divided by commas, only if there is an asterisk.
      var pattern =
          attributes.stream()
              .sorted()
              .map(it -> it.replace(".", "\\."))
              .collect(Collectors.joining("|", "^(?:", ") *$"));
      return new Query(
          "/jmx?get=" + bean + "::" + URLEncoder.encode(pattern, StandardCharsets.UTF_8),
          attributes);
    }
  }

  Jmx() {
    this(Ports.REGIONSERVER_HTTP);
  }

  /** For tests: with another port of the servers. */
  Jmx(int port) {
    this.port = port;
  }

  /**
   * Requests attributes of a bean; a missing node if there is no response within the deadline.
   *
   * @param reuse of connections: permitted only where the server is not about to be replaced
   * @param onFailure called with the cause if there is no response
   */
  CompletableFuture<JsonNode> bean(
      String host, Query query, LimitedHttp.Reuse reuse, Consumer<Throwable> onFailure) {
    var uri = URI.create("http://" + host + ":" + port + query.path());
    return http.get(uri, reuse, () -> new Bean(json, query.attributes()))
        .exceptionally(
            failure -> {
              onFailure.accept(failure);
              return MissingNode.getInstance();
            });
  }

  /** The first bean of a response, as {@code {"beans": [{"attribute": value}]}}. */
  static final class Bean extends JsonBodyReader<JsonNode> {
    private static final int IN_BEAN = 3;

    private final Set<String> attributes;
    private final ObjectNode kept = JsonNodeFactory.instance.objectNode();
    private int depth;
    private int beans;
    private boolean isInBeans;

    Bean(JsonFactory json, Set<String> attributes) throws IOException {
      super(json);
      this.attributes = attributes;
    }

    @Override
    void token(JsonToken token, JsonParser at) throws IOException {
      if (token.isStructStart()) {
        depth++;
        if (depth == 2) {
          isInBeans = "beans".equals(at.currentName());
        } else if (depth == IN_BEAN && isInBeans) {
          beans++;
        }
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token.isScalarValue()
          && depth == IN_BEAN
          && isInBeans
          && beans == 1
          && attributes.contains(at.currentName())) {
        keep(at.currentName(), token, at);
      }
    }

    private void keep(String name, JsonToken token, JsonParser at) throws IOException {
      switch (token) {
        case VALUE_NUMBER_INT -> kept.put(name, at.getBigIntegerValue().longValue());
        case VALUE_NUMBER_FLOAT -> kept.put(name, at.getDoubleValue());
        case VALUE_TRUE, VALUE_FALSE -> kept.put(name, at.getBooleanValue());
        case VALUE_STRING -> {
          if (at.getTextLength() <= LONGEST_KEPT) {
            kept.put(name, at.getText());
          }
        }
        default -> {
          // null counts as absent.
        }
      }
    }

    @Override
    JsonNode kept() {
      return beans == 0 ? MissingNode.getInstance() : kept;
    }
  }
}
