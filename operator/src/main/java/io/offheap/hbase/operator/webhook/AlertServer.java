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
 * Listens for Alertmanager, on a port of its own: whoever floods it takes nothing from the probes.
 * {@link AlertWebhook} says what an alert does.
 *
 * <p>One that does not act answers 503 and hangs up: all replicas stand behind one service, those
 * that stand by are ready too, and Alertmanager sends again after 503, soon and over a connection
 * that may lead to another replica.
 */
public final class AlertServer implements AutoCloseable {
  private static final int THREADS = 8;

  private final HttpServer server;
  private final ExchangeThreads threads;
  private final ConnectionGate gate;

  /**
   * Starts to listen.
   *
   * @param acting whether this process reconciles, and thus may look
   * @param looks asks for a look at a cluster soon, for an alert; returns at once
   * @throws IOException if the port, a token, or the certificate with its key cannot be had
   */
  public AlertServer(
      AlertSettings settings,
      CollectorRegistry registry,
      Clock clock,
      BooleanSupplier acting,
      WatchedClusters clusters,
      BiConsumer<ClusterName, AlertCause> looks)
      throws IOException {
    threads = new ExchangeThreads("webhook", THREADS, settings.exchange());
    var handler =
        new AlertHandler(
            new BearerTokens(settings.tokenFile()),
            acting,
            new RequestRate(settings.requestsPerMinute(), clock),
            new AlertWebhook(clusters, clock, looks),
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

  /** The port that it listens on. */
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
