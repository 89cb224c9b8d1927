package io.offheap.hbase.operator.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page's HTTP. The port is on loopback, where a browser of the same machine, or of one that
 * forwards the port, connects to it; so does any other site that is open in that browser.
 * Therefore:
 *
 * <ul>
 *   <li>{@code Host} must be a name of loopback: a name of another site that was made to lead here
 *       is refused (DNS rebinding).
 *   <li>What a browser says comes from another site is refused, but for a link that a person
 *       follows; no header permits another site to read a response.
 *   <li>A browser runs and loads nothing but the page's own files.
 * </ul>
 */
final class PageHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);

  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");

  /** Kubernetes' names; none has a character that a path would escape. */
  private static final Pattern OF_A_CLUSTER =
      Pattern.compile("/api/clusters/([a-z0-9.-]{1,253})/([a-z0-9.-]{1,253})(/history|/what-if)?");

  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";

  private static final String WHAT_IF = "/what-if";
  private static final String NOTHING = "there is nothing of that name";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final PageFiles files;
  private final Views views;
  private final WhatIf whatIf;
  private final Function<ResourceID, Optional<HBaseCluster>> clusters;
  private final Runnable requestIsRead;

  /** A response. */
  private record Reply(int status, Body body) {
    static Reply text(int status, String text) {
      return new Reply(status, Body.of(TEXT, text + "\n"));
    }
  }

  /**
   * For one server.
   *
   * @param requestIsRead runs on the thread of an exchange whose body was read to its end
   */
  PageHandler(
      PageFiles files,
      Views views,
      WhatIf whatIf,
      Function<ResourceID, Optional<HBaseCluster>> clusters,
      Runnable requestIsRead) {
    this.files = files;
    this.views = views;
    this.whatIf = whatIf;
    this.clusters = clusters;
    this.requestIsRead = requestIsRead;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Reply reply;
      try {
        reply = reply(exchange);
      } catch (RuntimeException e) {
        LOG.error("The page failed", e);
        reply = Reply.text(500, "failed; the operator's log has the reason");
      }
      send(exchange, reply);
    }
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    if (!hasBody(headers)) {
      requestIsRead.run();
    }
    if (!isLoopback(headers)) {
      return Reply.text(421, "Host must be localhost or 127.0.0.1, as kubectl hbc page opens it");
    }
    if (isFromAnotherSite(exchange)) {
      return Reply.text(403, "requests from other sites are refused");
    }
    var path = exchange.getRequestURI().getRawPath();
    var cluster = OF_A_CLUSTER.matcher(path);
    boolean isQuestion = cluster.matches() && WHAT_IF.equals(cluster.group(3));
    var method = isQuestion ? "POST" : "GET";
    if (!exchange.getRequestMethod().equals(method)) {
      exchange.getResponseHeaders().set("Allow", method);
      return Reply.text(405, method + " only");
    }
    if (isQuestion) {
      return difference(new ResourceID(cluster.group(2), cluster.group(1)), exchange);
    }
    return body(path).map(it -> new Reply(200, it)).orElseGet(() -> Reply.text(404, NOTHING));
  }

  /** A browser sends this type to another site only if that permits it, which this one does not. */
  private Reply difference(ResourceID id, HttpExchange exchange) throws IOException {
    if (!"application/json".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
      return Reply.text(415, "Content-Type must be application/json");
    }
    var question = exchange.getRequestBody().readNBytes(WhatIf.LARGEST + 1);
    if (question.length > WhatIf.LARGEST) {
      return Reply.text(413, "the body must be no more than " + WhatIf.LARGEST + " bytes");
    }
    if (hasBody(exchange.getRequestHeaders())) {
      requestIsRead.run();
    }
    var cluster = clusters.apply(id);
    if (cluster.isEmpty()) {
      return Reply.text(404, NOTHING);
    }
    try {
      return new Reply(200, whatIf.answer(cluster.get(), question));
    } catch (WhatIf.NotAnsweredException e) {
      if (e.status() == 503) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      return Reply.text(e.status(), e.getMessage());
    }
  }

  private Optional<Body> body(String path) {
    if (path.equals("/api/clusters")) {
      return Optional.of(views.all());
    }
    var cluster = OF_A_CLUSTER.matcher(path);
    if (!cluster.matches()) {
      return files.file(path);
    }
    var id = new ResourceID(cluster.group(2), cluster.group(1));
    return cluster.group(3) == null ? views.cluster(id) : views.history(id);
  }

  /** Whether more follows, which the JDK's server reads before it ends the exchange. */
  private static boolean hasBody(Headers headers) {
    return headers.containsKey("Transfer-Encoding")
        || !headers.getOrDefault("Content-Length", List.of("0")).equals(List.of("0"));
  }

  private static boolean isLoopback(Headers headers) {
    var hosts = headers.getOrDefault("Host", List.of());
    return hosts.size() == 1 && LOOPBACK.matcher(hosts.get(0)).matches();
  }

  /** Browsers send these headers, and no script can change them. */
  private static boolean isFromAnotherSite(HttpExchange exchange) {
    var headers = exchange.getRequestHeaders();
    var origin = headers.getFirst("Origin");
    if (origin != null && !origin.equals("http://" + headers.getFirst("Host"))) {
      return true;
    }
    var site = headers.getFirst("Sec-Fetch-Site");
    boolean isLink =
        "navigate".equals(headers.getFirst("Sec-Fetch-Mode"))
            && exchange.getRequestMethod().equals("GET");
    return site != null && !site.equals("same-origin") && !site.equals("none") && !isLink;
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-cache");
    headers.set("Content-Type", reply.body().type());
    if (reply.status() == 200) {
      headers.set("ETag", reply.body().etag());
      if (reply.body().etag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
        exchange.sendResponseHeaders(304, -1);
        return;
      }
    }
    exchange.sendResponseHeaders(reply.status(), reply.body().length());
    reply.body().writeTo(exchange.getResponseBody());
  }
}
