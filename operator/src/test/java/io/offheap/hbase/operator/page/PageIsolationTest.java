package io.offheap.hbase.operator.page;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.hbase.ExampleHour;
import io.offheap.hbase.operator.hbase.ServerHistory;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.report.Events;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Clients of the page that hold all of its threads, and reconciliations meanwhile. A reconciliation
 * and the page share the clusters, the history of the servers, the events and the planner, and
 * nothing else ({@code WallsTest}).
 */
class PageIsolationTest {
  private static final ResourceID ID = new ResourceID("demo", "shop");
  private static final ResourceID SLOW = new ResourceID("slow", "shop");
  private static final String IMAGE = "hbase-offheap/hbase:0.1.0";
  private static final int PASSES = 20;

  /** As in {@link PageServer}. */
  private static final int THREADS = 8;

  /** One is planned and these wait, as in {@link WhatIf}. */
  private static final int WHAT_IFS = 4;

  /** Clients that read no response. */
  private static final int UNREAD = 2;

  /** Responses of one connection, 16 MB in all. */
  private static final int MORE_THAN_BUFFERED = 3000;

  private static final int INCOMPLETE = 100;

  private final CountDownLatch slowWhatIf = new CountDownLatch(1);
  private final CountDownLatch slowView = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final ServerHistory history = ExampleHour.of(ID, Instant.now());
  private final Events events = new Events(null, "test", Clock.systemUTC());
  private final HBaseCluster cluster = resource("1Gi");
  private final List<Socket> clients = new ArrayList<>();
  private PageServer server;

  @BeforeEach
  void start() throws IOException {
    await("threads of other tests end")
        .atMost(LONG)
        .until(() -> threads("page") + threads("what-if") == 0);
    server =
        new PageServer(
            0,
            new PageSource(
                () -> true,
                Optional::empty,
                () -> Stream.of(cluster),
                this::cluster,
                history,
                events.recent(),
                (now, changed) -> {
                  holdUntilEnd(slowWhatIf);
                  return PlanPreview.of(now, changed, IMAGE, PodRights.NONE);
                },
                Clock.systemUTC()));
  }

  @AfterEach
  void stop() throws IOException {
    end.countDown();
    for (var client : clients) {
      client.close();
    }
    server.close();
  }

  private Optional<HBaseCluster> cluster(ResourceID id) {
    if (id.equals(SLOW)) {
      holdUntilEnd(slowView);
    }
    return Optional.of(cluster);
  }

  /** Despite interruptions, as a computation is. */
  private void holdUntilEnd(CountDownLatch entered) {
    entered.countDown();
    boolean isInterrupted = false;
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static HBaseCluster resource(String heap) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: shop, uid: "1", generation: 3}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers:
            replicas: 3
            memory: {heap: %s, offHeap: 512Mi}
        """
            .formatted(heap),
        HBaseCluster.class);
  }

  private void send(String request) throws IOException {
    var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
    clients.add(client);
    client.getOutputStream().write(request.getBytes(US_ASCII));
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private void sendWhatIf() throws IOException {
    var body = "{\"set\": [\"spec.regionServers.memory.heap=2Gi\"]}";
    send(
        "POST /api/clusters/shop/demo/what-if HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @Test
  @Slow
  void clientsThatHoldEachThreadOfPageDelayNoReconciliation() throws Exception {
    for (int i = 0; i < UNREAD; i++) {
      send(get("/cluster.js").repeat(MORE_THAN_BUFFERED));
    }
    for (int i = 0; i < WHAT_IFS; i++) {
      sendWhatIf();
    }
    assertThat(slowWhatIf.await(30, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < THREADS; i++) {
      send(get("/api/clusters/shop/slow"));
    }
    assertThat(slowView.await(30, TimeUnit.SECONDS)).isTrue();
    await("each thread of the page has a request")
        .atMost(LONG)
        .until(() -> threadsIn("page", PageHandler.class) == THREADS);
    for (int i = 0; i < INCOMPLETE; i++) {
      send("GET /api/clusters HTTP/1.1\r\nHost: local");
    }

    var passes = Executors.newSingleThreadExecutor();
    try {
      assertThat(passes.submit(this::passes).get(30, TimeUnit.SECONDS)).isEqualTo(PASSES);
    } finally {
      passes.shutdownNow();
    }

    assertThat(threadsIn("what-if", getClass())).as("a plan that is not finished").isEqualTo(1);
    assertThat(threadsIn("page", getClass())).as("a view that is not finished").isEqualTo(1);
    assertThat(threads("page")).isEqualTo(THREADS);
    assertThat(threads("what-if")).isEqualTo(1);
  }

  /** What a reconciliation and a poll do with all that they share with the page. */
  private int passes() {
    int passes = 0;
    for (var heap : List.of("2Gi", "3Gi")) {
      for (int i = 0; i < PASSES / 2; i++) {
        assertThat(PlanPreview.of(cluster, resource(heap), IMAGE, PodRights.NONE))
            .isInstanceOf(PlanPreview.Planned.class);
        events.normal(cluster, "Draining", heap + " " + i);
        ExampleHour.poll(history, ID, Instant.now());
        passes++;
      }
    }
    return passes;
  }

  /** The threads of a name that run a method of a class. */
  private static long threadsIn(String name, Class<?> type) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(it -> it.getKey().getName().equals(name))
        .filter(
            it ->
                Arrays.stream(it.getValue())
                    .anyMatch(frame -> frame.getClassName().equals(type.getName())))
        .count();
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().equals(name))
        .count();
  }
}
