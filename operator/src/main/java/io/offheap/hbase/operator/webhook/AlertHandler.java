package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook's HTTP handler. A request without a valid token gets 401, and does not count against
 * the rate of requests with one. Each limit is checked before the part of the request that it
 * limits is read.
 */
final class AlertHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AlertHandler.class);

  static final String PATH = "/api/v1/alerts";

  /** The size of a body with the most alerts, each of 2 KiB. */
  static final int LARGEST_BODY = 1 << 20;

  static final int MOST_ALERTS = 500;

  private static final JsonMapper JSON = new JsonMapper();

  private final BearerTokens tokens;
  private final BooleanSupplier acting;
  private final RequestRate rate;
  private final AlertWebhook webhook;
  private final AlertMetrics metrics;
  private final Runnable requestIsRead;
  private final AtomicReference<String> logged = new AtomicReference<>("");

  /** A response. */
  private record Response(AlertOutcome outcome, String body, Map<String, String> headers) {
    static Response of(AlertOutcome outcome, String text) {
      return new Response(outcome, text + "\n", Map.of());
    }

    Response with(String header, String value) {
      return new Response(outcome, body, Map.of(header, value));
    }
  }

  /**
   * Creates the handler of one server.
   *
   * @param requestIsRead runs on the thread of an exchange whose body was read to its end
   */
  AlertHandler(
      BearerTokens tokens,
      BooleanSupplier acting,
      RequestRate rate,
      AlertWebhook webhook,
      AlertMetrics metrics,
      Runnable requestIsRead) {
    this.tokens = tokens;
    this.acting = acting;
    this.rate = rate;
    this.webhook = webhook;
    this.metrics = metrics;
    this.requestIsRead = requestIsRead;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Response response;
      try {
        response = respond(exchange);
      } catch (IOException e) {
        metrics.request(AlertOutcome.CUT_OFF);
        throw e;
      } catch (RuntimeException e) {
        LOG.error("A request to the webhook failed", e);
        response = Response.of(AlertOutcome.FAILED, "failed; see the log of the operator");
      }
      metrics.request(response.outcome());
      send(exchange, response);
    }
  }

  private Response respond(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestURI().getPath().equals(PATH)) {
      return Response.of(AlertOutcome.NOT_FOUND, "not found; the path must be " + PATH);
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      return Response.of(AlertOutcome.NOT_POST, "POST only").with("Allow", "POST");
    }
    var headers = exchange.getRequestHeaders();
    boolean known;
    try {
      known = tokens.accept(headers.getFirst("Authorization"));
    } catch (IOException e) {
      logOnce(e.toString());
      return Response.of(
          AlertOutcome.FAILED, "the token cannot be read; see the log of the operator");
    }
    if (!known) {
      return Response.of(AlertOutcome.UNAUTHENTICATED, "Authorization: Bearer, with the token")
          .with("WWW-Authenticate", "Bearer");
    }
    if (!acting.getAsBoolean()) {
      // A connection stays with one process, which may stand by for weeks.
      return Response.of(AlertOutcome.STANDBY, "another process leads; try again")
          .with("Connection", "close");
    }
    var wait = rate.take();
    if (!wait.isZero()) {
      long seconds = wait.plusMillis(999).toSeconds();
      return Response.of(AlertOutcome.FLOODED, "too many requests; try again in " + seconds + " s")
          .with("Retry-After", Long.toString(seconds));
    }
    if (!isJson(headers.getFirst("Content-Type")) || headers.containsKey("Content-Encoding")) {
      return Response.of(AlertOutcome.NOT_JSON, "Content-Type: application/json, not compressed");
    }
    var body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      return tooLarge("the body is over " + LARGEST_BODY + " bytes");
    }
    requestIsRead.run();
    return judged(body);
  }

  /** Any client can send requests, so the same problem is logged once. */
  private void logOnce(String problem) {
    if (!problem.equals(logged.getAndSet(problem))) {
      LOG.error("The webhook's token cannot be read: {}", problem);
    }
  }

  private Response judged(byte[] body) throws IOException {
    try {
      var verdicts = webhook.receive(AlertBody.parse(body, MOST_ALERTS));
      metrics.alerts(verdicts);
      var counts = new TreeMap<String, Integer>();
      AlertWebhook.counts(verdicts).forEach((verdict, count) -> counts.put(verdict.label(), count));
      return Response.of(AlertOutcome.ACCEPTED, JSON.writeValueAsString(counts))
          .with("Content-Type", "application/json");
    } catch (AlertBody.MalformedException e) {
      LOG.warn("The webhook refused a body: {}", e.getMessage());
      return Response.of(AlertOutcome.MALFORMED, e.getMessage());
    } catch (AlertBody.TooManyException e) {
      return tooLarge(e.getMessage());
    }
  }

  private static Response tooLarge(String text) {
    LOG.warn("The webhook refused a body: {}", text);
    return Response.of(AlertOutcome.TOO_LARGE, text);
  }

  private static boolean isJson(String type) {
    return type != null
        && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    var body = response.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    response.headers().forEach(exchange.getResponseHeaders()::set);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(response.outcome().status(), head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
      exchange.getResponseBody().flush();
    }
    drop(exchange.getRequestBody());
  }

  /**
   * Reads on for a while: a client that is still writing would get a reset connection instead of
   * the response.
   */
  private static void drop(InputStream body) throws IOException {
    var part = new byte[8 * 1024];
    int dropped = 0;
    for (int read = 0; read >= 0 && dropped < LARGEST_BODY; read = body.read(part)) {
      dropped += read;
    }
  }
}
