package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Responds to requests of pods as an API server may, over HTTP. */
final class ApiServerStandIn implements AutoCloseable {
  private final HttpServer http;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Response created = new Response(500, "");
  private volatile Response present = new Response(404, "{}");
  private volatile boolean isSilent;

  private record Response(int code, String body) {}

  ApiServerStandIn() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::handle);
    http.start();
  }

  /** A client of this server, which leaves nothing behind. */
  KubernetesClient client() {
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + http.getAddress().getPort())
            .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(KeptFields.serialization())
        .build();
  }

  /** What each of these requests has sent. */
  List<String> bodies() {
    return bodies;
  }

  /** The response to each pod that is created. */
  void respond(int code, String body) {
    created = new Response(code, body);
  }

  /** The same, with a message. */
  void refuse(int code, String message) {
    refuse(code, "", message);
  }

  void refuse(int code, String reason, String message) {
    respond(
        code,
        Serialization.asJson(
            new StatusBuilder()
                .withStatus("Failure")
                .withCode(code)
                .withReason(reason)
                .withMessage(message)
                .build()));
  }

  /** The response to who reads a pod. */
  void present(int code, String body) {
    present = new Response(code, body);
  }

  /** From now on there is no response. */
  void beSilent() {
    isSilent = true;
  }

  /** Method, path and name of the pod of each request that wants to create one. */
  List<String> requests() {
    return requests;
  }

  private void handle(HttpExchange exchange) throws IOException {
    var request = exchange.getRequestBody().readAllBytes();
    if (isSilent) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    bodies.add(new String(request, UTF_8));
    boolean isRead = exchange.getRequestMethod().equals("GET");
    if (!isRead) {
      requests.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + " "
              + new JsonMapper().readTree(request).path("metadata").path("name").asText());
    }
    var response = isRead ? present : created;
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    var body = response.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(response.code(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    http.stop(0);
  }
}
