package io.offheap.hbase.observer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.zookeeper.metrics.MetricsProviderLifeCycleException;
import org.apache.zookeeper.metrics.impl.DefaultMetricsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's own metrics at {@code /metrics}, in Prometheus' text format and with the prefix
 * {@code zookeeper_}: a provider for {@code metricsProvider.className}. A server's gauges, {@code
 * zookeeper_uptime} among them, exist only while it serves, alone or in a quorum.
 *
 * <p>ZooKeeper's own provider for Prometheus is not used: it needs Jetty's servlets and an old
 * client of Prometheus on the class path of all roles, and a process whose port is in use does not
 * start.
 */
public final class ZooKeeperMetrics extends DefaultMetricsProvider {
  /** The port if {@code metricsProvider.httpPort} is not set. */
  static final int PORT = 7000;

  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperMetrics.class);
  private static final String PREFIX = "zookeeper_";

  /**
   * Names are ZooKeeper's own, without those of each top-level znode, whose number is unlimited.
   */
  private static final Pattern KEPT = Pattern.compile("(?!.*per_namespace)[a-zA-Z][a-zA-Z0-9_]*");

  /** Half a request holds one until the JDK's server times out. */
  private static final int THREADS = 16;

  /** Further waiting connections are closed: each takes heap of ZooKeeper's. */
  private static final int WAITING = 64;

  private int wanted = PORT;
  private HttpServer server;
  private ThreadPoolExecutor threads;

  @Override
  public void configure(Properties configuration) throws MetricsProviderLifeCycleException {
    super.configure(configuration);
    wanted = Integer.parseInt(configuration.getProperty("httpPort", Integer.toString(PORT)).trim());
  }

  /** Starts to listen; if that fails, ZooKeeper starts all the same. */
  @Override
  public void start() throws MetricsProviderLifeCycleException {
    super.start();
    try {
      server = HttpServer.create(new InetSocketAddress(wanted), 0);
    } catch (IOException e) {
      LOG.warn("No metrics at port {}", wanted, e);
      return;
    }
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              var thread = new Thread(task, "metrics");
              thread.setDaemon(true);
              return thread;
            });
    // One or two Prometheus servers need one or two threads.
    threads.allowCoreThreadTimeOut(true);
    server.setExecutor(threads);
    server.createContext("/metrics", this::respond);
    server.start();
  }

  /** The port; -1 if it does not listen. */
  int port() {
    return server == null ? -1 : server.getAddress().getPort();
  }

  private void respond(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String text() {
    var values = new TreeMap<String, Number>();
    dump(
        (name, value) -> {
          if (value instanceof Number number && KEPT.matcher(name).matches()) {
            values.put(name, number);
          }
        });
    return values.entrySet().stream()
        .map(it -> PREFIX + it.getKey() + " " + it.getValue() + "\n")
        .collect(Collectors.joining());
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
      threads.shutdownNow();
    }
    super.stop();
  }
}
