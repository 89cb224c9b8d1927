package io.offheap.hbase.operator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Serves {@code /metrics} for Prometheus and {@code /runbook} for its alerts, and on another port
 * {@code /healthz} and {@code /readyz} for the kubelet, so that load on the metrics does not delay
 * the probes.
 */
public final class OperatorServer implements AutoCloseable {
  /** Prometheus' default timeout is ten seconds. */
  private static final Duration METRICS_LIMIT = Duration.ofSeconds(10);

  /** The timeout of the chart's probes is five seconds. */
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(3);

  private final GetServer metrics;
  private final GetServer probes;

  /**
   * Starts to listen.
   *
   * @param port TCP port of the metrics; 0 for any free port
   * @param probePort TCP port of the probes; 0 for any free port
   * @param registry the metrics
   * @param healthy whether the process works; if not, the kubelet restarts it
   * @param ready whether the operator reconciles
   * @throws IOException if a port cannot be bound
   */
  public OperatorServer(
      int port,
      int probePort,
      CollectorRegistry registry,
      BooleanSupplier healthy,
      BooleanSupplier ready)
      throws IOException {
    var runbook = Runbook.page();
    metrics =
        new GetServer(
            "metrics",
            port,
            METRICS_LIMIT,
            Map.of(
                "/metrics",
                it -> metrics(it, registry),
                "/runbook",
                it -> GetServer.respond(it, 200, Runbook.TYPE, runbook)));
    try {
      probes =
          new GetServer(
              "probes",
              probePort,
              PROBE_LIMIT,
              Map.of("/healthz", probe(healthy), "/readyz", probe(ready)));
    } catch (IOException e) {
      metrics.close();
      throw e;
    }
  }

  /** The port of the metrics. */
  public int port() {
    return metrics.port();
  }

  /** The port of the probes. */
  public int probePort() {
    return probes.port();
  }

  private static void metrics(HttpExchange exchange, CollectorRegistry registry)
      throws IOException {
    var type = TextFormat.chooseContentType(exchange.getRequestHeaders().getFirst("Accept"));
    var text = new StringWriter();
    TextFormat.writeFormat(type, text, registry.metricFamilySamples());
    GetServer.respond(exchange, 200, type, text.toString());
  }

  private static HttpHandler probe(BooleanSupplier holds) {
    return exchange -> {
      boolean ok = holds.getAsBoolean();
      GetServer.respond(exchange, ok ? 200 : 503, GetServer.TEXT, ok ? "ok\n" : "not ok\n");
    };
  }

  @Override
  public void close() {
    metrics.close();
    probes.close();
  }
}
