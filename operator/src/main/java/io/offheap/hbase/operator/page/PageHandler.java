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
 * The page's HTTP handler. The port is on loopback. A browser on the same machine, or on one that
 * forwards the port, can connect to it, and so can any other site that is open in that browser.
 * Therefore:
 *
 * <ul>
 *   <li>{@code Host} must be a name of loopback: another site's name that resolves to loopback is
 *       refused (DNS rebinding).
 *   <li>Requests from other sites, by the browser's headers, are refused, except navigation by a
 *       link; no header permits another site to read a response.
 *   <li>A browser runs and loads nothing but the page's own files.
 * </ul>
 */
final class PageHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);

  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");

  /** Kubernetes' names have no character that is escaped in a path. */
  private static final Pattern OF_A_CLUSTER =
      Pattern.compile("/api/clusters/([a-z0-9.-]{1,253})/([a-z0-9.-]{1,253})(/history|/what-if)?");

  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";

  private static final String WHAT_IF = "/what-if";
  private static final String NOTHING = "not found";
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
   * A handler for one server.
   *
   * @param requestIsRead called on an exchange's thread after its body was read completely
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
        reply = Reply.text(500, "the request failed; the operator's log has the reason");
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
    boolean isWhatIf = cluster.matches() && WHAT_IF.equals(cluster.group(3));
    var method = isWhatIf ? "POST" : "GET";
    if (!exchange.getRequestMethod().equals(method)) {
      exchange.getResponseHeaders().set("Allow", method);
      return Reply.text(405, method + " only");
    }
    if (isWhatIf) {
      return difference(new ResourceID(cluster.group(2), cluster.group(1)), exchange);
    }
    return body(path).map(it -> new Reply(200, it)).orElseGet(() -> Reply.text(404, NOTHING));
  }

  /** Browsers send this media type to another site only with its permission, which is not given. */
  private Reply difference(ResourceID id, HttpExchange exchange) throws IOException {
    if (!"application/json".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
      return Reply.text(415, "Content-Type must be application/json");
    }
    var request = exchange.getRequestBody().readNBytes(WhatIf.LARGEST + 1);
    if (request.length > WhatIf.LARGEST) {
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
      return new Reply(200, whatIf.difference(cluster.get(), request));
    } catch (WhatIf.FailedException e) {
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

  /** Whether the request has a body, which the JDK's server reads before it ends the exchange. */
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
