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
 * The webhook's HTTP. Who has no token learns nothing else and takes nothing from those that have
 * one; each bound is looked at before what it bounds is read.
 */
final class AlertHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AlertHandler.class);

  static final String PATH = "/api/v1/alerts";

  /** A body of the most alerts, each of 2 KiB, is as large. */
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

  /** An answer, with the words that go with it. */
  private record Reply(AlertAnswer answer, String body, Map<String, String> headers) {
    static Reply of(AlertAnswer answer, String text) {
      return new Reply(answer, text + "\n", Map.of());
    }

    Reply with(String header, String value) {
      return new Reply(answer, body, Map.of(header, value));
    }
  }

  /**
   * For one server.
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
      Reply reply;
      try {
        reply = reply(exchange);
      } catch (IOException e) {
        metrics.request(AlertAnswer.CUT_OFF);
        throw e;
      } catch (RuntimeException e) {
        LOG.error("The webhook failed", e);
        reply = Reply.of(AlertAnswer.FAILED, "failed; the operator's log says how");
      }
      metrics.request(reply.answer());
      send(exchange, reply);
    }
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestURI().getPath().equals(PATH)) {
      return Reply.of(AlertAnswer.NOT_FOUND, "not found; " + PATH + " is right");
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      return Reply.of(AlertAnswer.NOT_POST, "POST only").with("Allow", "POST");
    }
    var headers = exchange.getRequestHeaders();
    boolean known;
    try {
      known = tokens.accept(headers.getFirst("Authorization"));
    } catch (IOException e) {
      logOnce(e.toString());
      return Reply.of(AlertAnswer.FAILED, "no token to compare with; the operator's log says why");
    }
    if (!known) {
      return Reply.of(AlertAnswer.UNAUTHENTICATED, "Authorization: Bearer, with the token")
          .with("WWW-Authenticate", "Bearer");
    }
    if (!acting.getAsBoolean()) {
      // One connection stays with one process, which may stand by for weeks.
      return Reply.of(AlertAnswer.STANDBY, "another process leads; try again")
          .with("Connection", "close");
    }
    var wait = rate.take();
    if (!wait.isZero()) {
      long seconds = wait.plusMillis(999).toSeconds();
      return Reply.of(AlertAnswer.FLOODED, "too many requests; try again in " + seconds + " s")
          .with("Retry-After", Long.toString(seconds));
    }
    if (!isJson(headers.getFirst("Content-Type")) || headers.containsKey("Content-Encoding")) {
      return Reply.of(AlertAnswer.NOT_JSON, "Content-Type: application/json, not compressed");
    }
    var body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      return tooLarge("the body is over " + LARGEST_BODY + " bytes");
    }
    requestIsRead.run();
    return judged(body);
  }

  /** Whoever likes can send requests, so not each may be worth a line. */
  private void logOnce(String problem) {
    if (!problem.equals(logged.getAndSet(problem))) {
      LOG.error("The webhook's token cannot be read: {}", problem);
    }
  }

  private Reply judged(byte[] body) throws IOException {
    try {
      var verdicts = webhook.receive(AlertBody.parse(body, MOST_ALERTS));
      metrics.alerts(verdicts);
      var counts = new TreeMap<String, Integer>();
      AlertWebhook.counts(verdicts).forEach((verdict, count) -> counts.put(verdict.label(), count));
      return Reply.of(AlertAnswer.ACCEPTED, JSON.writeValueAsString(counts))
          .with("Content-Type", "application/json");
    } catch (AlertBody.MalformedException e) {
      LOG.warn("The webhook refused a body: {}", e.getMessage());
      return Reply.of(AlertAnswer.MALFORMED, e.getMessage());
    } catch (AlertBody.TooManyException e) {
      return tooLarge(e.getMessage());
    }
  }

  private static Reply tooLarge(String text) {
    LOG.warn("The webhook refused a body: {}", text);
    return Reply.of(AlertAnswer.TOO_LARGE, text);
  }

  private static boolean isJson(String type) {
    return type != null
        && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    var body = reply.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.answer().status(), head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
      exchange.getResponseBody().flush();
    }
    drop(exchange.getRequestBody());
  }

  /** Reads on for a while: who still writes would find the connection reset, not the answer. */
  private static void drop(InputStream body) throws IOException {
    var part = new byte[8 * 1024];
    int dropped = 0;
    for (int read = 0; read >= 0 && dropped < LARGEST_BODY; read = body.read(part)) {
      dropped += read;
    }
  }
}
