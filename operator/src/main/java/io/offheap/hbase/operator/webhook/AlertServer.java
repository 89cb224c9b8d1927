package io.offheap.hbase.operator.webhook;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import io.offheap.hbase.operator.http.ConnectionGate;
import io.offheap.hbase.operator.http.ExchangeThreads;
import io.offheap.hbase.operator.tune.AlertCause;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Listens for Alertmanager, on its own port, so that load on it does not delay the probes. {@link
 * AlertWebhook} describes the effect of an alert.
 *
 * <p>A process that stands by responds with 503 and closes the connection: all replicas are behind
 * one service, standby replicas are ready too, and Alertmanager retries after 503, soon and over a
 * connection that may lead to another replica.
 */
public final class AlertServer implements AutoCloseable {
  private static final int THREADS = 8;

  private final HttpServer server;
  private final ExchangeThreads threads;
  private final ConnectionGate gate;

  /**
   * Starts to listen.
   *
   * @param acting whether this process reconciles, so that an alert can trigger a reconciliation
   * @param trigger triggers a reconciliation of a cluster soon, because of an alert; returns at
   *     once
   * @throws IOException if the port cannot be bound, or a token, or the certificate with its key,
   *     cannot be read
   */
  public AlertServer(
      AlertSettings settings,
      CollectorRegistry registry,
      Clock clock,
      BooleanSupplier acting,
      WatchedClusters clusters,
      BiConsumer<ClusterName, AlertCause> trigger)
      throws IOException {
    threads = new ExchangeThreads("webhook", THREADS, settings.exchange());
    var handler =
        new AlertHandler(
            new BearerTokens(settings.tokenFile()),
            acting,
            new RequestRate(settings.requestsPerMinute(), clock),
            new AlertWebhook(clusters, clock, trigger),
            new AlertMetrics(registry),
            threads::requestIsRead);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server =
        settings.tlsFolder().isPresent()
            ? tls(address, settings.tlsFolder().get())
            : HttpServer.create(address, 0);
    server.setExecutor(threads);
    server.createContext("/", handler);
    server.start();
    try {
      gate = new ConnectionGate("webhook", settings.port(), server.getAddress());
    } catch (IOException e) {
      server.stop(0);
      threads.close();
      throw e;
    }
  }

  private static HttpServer tls(InetSocketAddress address, Path folder) throws IOException {
    var tls = WebhookTls.of(folder);
    var server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(tls);
    return server;
  }

  /** The port of the webhook. */
  public int port() {
    return gate.port();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    gate.close();
  }
}
