package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.boot.OperatorProcess;
import io.offheap.hbase.operator.boot.OperatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** The whole operator, as in its image, against the test's API server. */
final class OperatorUnderTest implements AutoCloseable {
  private final OperatorProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ModelHBases hbase;
  private final boolean isHbaseItsOwn;

  private OperatorUnderTest(OperatorProcess process, ModelHBases hbase, boolean isHbaseItsOwn) {
    this.process = process;
    this.hbase = hbase;
    this.isHbaseItsOwn = isHbaseItsOwn;
  }

  /** Starts it with HBase models that end with it. */
  static OperatorUnderTest start(ApiServer.Running server, String... namespaces)
      throws IOException {
    return start(server.operatorClient(), new ModelHBases(server.client()), true, namespaces);
  }

  /** Starts it with the HBase models of an earlier operator. */
  static OperatorUnderTest start(ApiServer.Running server, ModelHBases hbase, String... namespaces)
      throws IOException {
    return start(server.operatorClient(), hbase, false, namespaces);
  }

  /** The same, with its writes cut off at a step. */
  static OperatorUnderTest start(
      ApiServer.Running server, ModelHBases hbase, CutAtSteps cut, String... namespaces)
      throws IOException {
    return start(server.operatorClient(cut::guard), hbase, false, namespaces);
  }

  /** Starts it with an account's rights; without namespaces, for all of them. */
  static OperatorUnderTest startAs(
      ServiceAccount account, ApiServer.Running server, String... namespaces) throws IOException {
    return start(server.clientOf(account), new ModelHBases(server.client()), true, namespaces);
  }

  private static OperatorUnderTest start(
      KubernetesClient client, ModelHBases hbase, boolean isHbaseItsOwn, String... namespaces)
      throws IOException {
    var settings =
        OperatorSettings.of(
            Map.of(
                "WATCH_NAMESPACES",
                String.join(",", namespaces),
                "HTTP_PORT",
                "0",
                "PROBE_PORT",
                "0",
                "PAGE_PORT",
                "0"));
    return new OperatorUnderTest(
        OperatorProcess.start(settings, client, context -> hbase.access()), hbase, isHbaseItsOwn);
  }

  /** The HBases of its clusters. */
  ModelHBases hbase() {
    return hbase;
  }

  /** The response of its metrics port to a GET. */
  HttpResponse<String> get(String path) {
    return get(process.httpPort(), path);
  }

  /** The response of its probe port to a GET. */
  HttpResponse<String> probe(String path) {
    return get(process.probePort(), path);
  }

  int metricsPort() {
    return process.httpPort();
  }

  int pagePort() {
    return process.pagePort().orElseThrow();
  }

  int probePort() {
    return process.probePort();
  }

  private HttpResponse<String> get(int port, String path) {
    var uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Reconciliations with this result, from its own metrics. */
  double passes(String outcome) {
    var prefix = "hbase_offheap_reconciles_total{outcome=\"" + outcome + "\"";
    return get("/metrics")
        .body()
        .lines()
        .filter(it -> it.startsWith(prefix))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    process.close();
    if (isHbaseItsOwn) {
      hbase.close();
    }
  }
}
