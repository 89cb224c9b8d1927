package io.offheap.hbase.operator.page;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.hbase.ServerHistory;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.report.Events;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LIST = "/api/clusters";
  private static final String DEMO = "/api/clusters/shop/demo";

  /** In place of a status: the connection was closed without a response. */
  private static final int CLOSED = 0;

  private final AtomicInteger listed = new AtomicInteger();
  private HBaseCluster cluster;
  private boolean leads = true;
  private PageServer server;

  @BeforeEach
  void start() throws IOException {
    cluster = resource();
    server =
        new PageServer(
            0,
            new PageSource(
                () -> leads,
                () -> Optional.of("operator-7"),
                () -> {
                  listed.incrementAndGet();
                  return leads ? Stream.of(cluster) : Stream.empty();
                },
                id ->
                    id.equals(new ResourceID("demo", "shop"))
                        ? Optional.of(cluster)
                        : Optional.empty(),
                new ServerHistory(),
                new Events(null, "test", Clock.systemUTC()).recent(),
                (now, changed) ->
                    PlanPreview.of(now, changed, "hbase-offheap/hbase:0.1.0", PodRights.NONE),
                TestClock.at(Instant.parse("2026-11-24T12:05:00Z"))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static HBaseCluster resource() throws IOException {
    try (var text = PageServerTest.class.getResourceAsStream("/cli/status/rollout.yaml")) {
      var documents = new String(text.readAllBytes(), UTF_8);
      return Serialization.unmarshal(
          documents.substring(0, documents.indexOf("\n---\n")), HBaseCluster.class);
    }
  }

  /** A response as sent over the wire, without a client that adds or hides headers. */
  private record Response(int status, Map<String, String> headers, String body) {
    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }
  }

  private Response send(String method, String path, String body, String... headers)
      throws IOException {
    var lines =
        Stream.concat(
            Arrays.stream(headers).anyMatch(it -> it.startsWith("Host:"))
                ? Stream.empty()
                : Stream.of("Host: localhost:" + server.port()),
            Arrays.stream(headers));
    var request =
        method
            + " "
            + path
            + " HTTP/1.1\r\n"
            + lines.map(it -> it + "\r\n").collect(Collectors.joining())
            + "Connection: close\r\n\r\n"
            + body;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      var text = new String(socket.getInputStream().readAllBytes(), UTF_8);
      int end = text.indexOf("\r\n\r\n");
      if (end < 0) {
        throw new EOFException("closed after " + text.length() + " letters");
      }
      var head = text.substring(0, end).lines().toList();
      return new Response(
          Integer.parseInt(head.get(0).split(" ", 3)[1]),
          head.stream()
              .skip(1)
              .map(it -> it.split(": ", 2))
              .collect(Collectors.toMap(it -> it[0].toLowerCase(Locale.ROOT), it -> it[1])),
          text.substring(end + 4));
    }
  }

  private static int statusUnlessClosed(Callable<Response> request) throws Exception {
    try {
      return request.call().status();
    } catch (SocketException | EOFException closed) {
      return CLOSED;
    }
  }

  private Response whatIf(String request) throws IOException {
    return whatIf(request, "Content-Type: application/json");
  }

  private Response whatIf(String request, String... headers) throws IOException {
    var all = new ArrayList<>(List.of(headers));
    all.add("Content-Length: " + request.length());
    return send("POST", DEMO + "/what-if", request, all.toArray(String[]::new));
  }

  private Response get(String path, String... headers) throws IOException {
    return send("GET", path, "", headers);
  }

  @Test
  void listsTheClusters() throws IOException {
    var list = get(LIST).json();

    assertThat(list.path("leads").asBoolean()).isTrue();
    var row = list.path("clusters").path(0);
    assertThat(row.path("namespace").asText()).isEqualTo("shop");
    assertThat(row.path("state").path("word").asText()).isEqualTo("Rolling out");
    assertThat(row.path("state").path("tone").asText()).isEqualTo("busy");
    assertThat(row.path("ready").asText()).isEqualTo("2/3");
    assertThat(row.path("heap").asText()).isEqualTo("1g");
    assertThat(row.path("offHeap").asText()).isEqualTo("576m");
    assertThat(row.has("heapShare")).as("no server has reported").isFalse();
  }

  @Test
  void showsPhaseOfEachServerInRollout() throws IOException {
    var rollout = get(DEMO).json().path("rollout");

    assertThat(rollout.path("done").asInt()).isEqualTo(1);
    assertThat(rollout.path("total").asInt()).isEqualTo(3);
    assertThat(rollout.path("waitingFor").asText()).isEqualTo("its regions are being moved away");
    assertThat(rollout.path("lines").findValuesAsText("phase"))
        .containsExactly("done", "now", "next");
    assertThat(rollout.path("lines").findValuesAsText("pod"))
        .containsExactly("demo-regionserver-2", "demo-regionserver-1", "demo-regionserver-0");
  }

  @Test
  void hidesHBasesOwnPagesUnlessDeclared() throws IOException {
    assertThat(get(DEMO).json().path("webPages")).isEmpty();
  }

  @Test
  void showsHBasesOwnPagesIfDeclared() throws IOException {
    cluster.setSpec(
        Serialization.unmarshal("webPages: {regionServers: true}", HBaseClusterSpec.class));

    var pages = get(DEMO).json().path("webPages");

    assertThat(pages).hasSize(1);
    assertThat(pages.path(0).path("command").asText())
        .isEqualTo("kubectl port-forward -n shop service/demo-regionserver-pages 16030");
    assertThat(pages.path(0).path("link").asText()).isEqualTo("http://localhost:16030/rs-status");
  }

  @Test
  void standbyNamesLeaderAndListsNoCluster() throws IOException {
    leads = false;

    var list = get(LIST).json();

    assertThat(list.path("leads").asBoolean()).isFalse();
    assertThat(list.path("leader").asText()).isEqualTo("operator-7");
    assertThat(list.path("clusters")).isEmpty();
  }

  @Test
  void unchangedViewIsNotSentAgain() throws IOException {
    var first = get(DEMO);

    var again = get(DEMO, "If-None-Match: " + first.headers().get("etag"));

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void viewIsBuiltOnceASecond() throws IOException {
    long begun = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      assertThat(get(LIST).status()).isEqualTo(200);
    }
    long seconds = (System.nanoTime() - begun) / 1_000_000_000;

    assertThat((long) listed.get()).isBetween(1L, seconds + 2);
  }

  /** Foreign names that resolve to loopback. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: attacker.example",
        "Host: localhost.attacker.example:80",
        "Host: 127.0.0.1.attacker.example",
        "Host: 10.0.0.1:8083",
        "Host:",
        "Host: localhost:8083\r\nHost: attacker.example"
      })
  void hostMustBeLoopback(String host) throws IOException {
    for (var path : List.of(LIST, DEMO, "/", "/page.css")) {
      var response = get(path, host);

      assertThat(response.status()).isIn(400, 421);
      assertThat(response.body()).doesNotContain("demo", "<html");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:1", "[::1]:8083", "LOCALHOST:65535"})
  void acceptsEveryNameAndPortOfLoopback(String host) throws IOException {
    assertThat(get(LIST, "Host: " + host).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://attacker.example",
        "Origin: null",
        "Origin: http://localhost:1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site"
      })
  void refusesRequestsOfOtherSites(String header) throws IOException {
    var response = get(DEMO, header);

    assertThat(response.status()).isEqualTo(403);
    assertThat(response.body()).doesNotContain("demo");
  }

  @Test
  void acceptsLinkOfAnotherSite() throws IOException {
    var response = get("/runbook", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate");

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).contains("<h2 id=\"hbaserolloutheld\">HBaseRolloutHeld</h2>");
  }

  /** The page has the runbook alone; without the path, a reader would search for the document. */
  @Test
  void runbookNamesTheDocumentsThatItRefersTo() throws IOException {
    assertThat(get("/runbook").body())
        .contains(
            " (docs/operations.md#when-a-rollout-is-held)", " (images/hbase/observer/README.md)")
        .doesNotContain("href=\"operations.md", "href=\"../");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/cluster", "/runbook", "/page.css", "/cluster.js", LIST, DEMO})
  void responsesForbidForeignContent(String path) throws IOException {
    var response = get(path);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers())
        .containsEntry("x-content-type-options", "nosniff")
        .containsEntry("cross-origin-resource-policy", "same-origin")
        .containsEntry("cache-control", "no-cache")
        .doesNotContainKeys("set-cookie", "access-control-allow-origin");
    assertThat(response.headers().get("content-security-policy"))
        .contains("default-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(response.body()).doesNotContain("<script>", "onclick=", "<style");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/clusters/shop/other",
        "/api/clusters/shop",
        "/api/clusters/shop/demo/",
        "/api/clusters/../../etc/passwd",
        "/page/index.html",
        "/../runbook.md",
        "/%2e%2e/runbook.md",
        "/metrics",
        "/favicon.ico"
      })
  void otherPathsAreNotFound(String path) throws IOException {
    assertThat(get(path).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
  void refusesOtherMethods(String method) throws IOException {
    var response = send(method, DEMO, "", "Content-Length: 0");

    assertThat(response.status()).isEqualTo(405);
    assertThat(response.headers()).containsEntry("allow", "GET");
  }

  @Test
  void whatIfReturnsDifference() throws IOException {
    cluster = planned();

    var difference = whatIf("{\"set\": [\"spec.regionServers.memory.heap=2Gi\"]}").json();

    assertThat(difference.path("refused")).isEmpty();
    var group = difference.path("groups").path(0);
    assertThat(group.path("state").asText()).isEqualTo("changed");
    assertThat(group.path("restarts").asInt()).isEqualTo(3);
    assertThat(group.path("newBytes").asLong()).isGreaterThan(group.path("oldBytes").asLong());
    assertThat(group.path("changes").findValuesAsText("key")).contains("Xmx", "memory");
    assertThat(difference.path("masters").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "spec.regionServers.replicas=5, same, 0, 0",
    "spec.rollout.maxUnavailable=2, same, 0, 0",
    "spec.regionServers.disk=HDD, changed, 3, 0",
    "spec.masters.heap=2Gi, same, 0, 1",
    "spec.image.tag=v2, same, 3, 1",
  })
  void whatIfReturnsRestarts(String assignment, String state, int servers, int masters)
      throws IOException {
    cluster = planned();

    var difference = whatIf("{\"set\": [\"" + assignment + "\"]}").json();

    assertThat(difference.path("refused")).isEmpty();
    var group = difference.path("groups").path(0);
    assertThat(group.path("state").asText()).isEqualTo(state);
    assertThat(group.path("restarts").asInt()).isEqualTo(servers);
    assertThat(difference.path("masters").asInt()).isEqualTo(masters);
  }

  /** Region servers and masters keep their image, and continue. */
  @Test
  void whatIfReturnsRestartsOfZooKeeperAndHdfs() throws IOException {
    cluster = planned();
    cluster.setStatus(
        cluster.getStatus().toBuilder()
            .images(new Images("hbase-offheap/hbase:0.1.0", "hbase-offheap/hbase:0.1.0"))
            .build());

    var both =
        whatIf(
                """
                {"set": ["spec.zookeeper.managed.image={tag: 0.2.0}",
                 "spec.storage.managed.image={tag: 0.2.0}"]}
                """)
            .json();

    assertThat(both.path("infrastructure").toString())
        .isEqualTo(
            """
            [{"role":"zookeeper","restarts":1},{"role":"namenode","restarts":1},\
            {"role":"datanode","restarts":1}]""");
    assertThat(both.path("groups").path(0).path("restarts").asInt()).isZero();
    assertThat(both.path("masters").asInt()).isZero();
    for (var same : List.of("spec.zookeeper.managed.image={tag: 0.1.0}", "spec.image.tag=0.2.0")) {
      assertThat(whatIf("{\"set\": [\"" + same + "\"]}").json().path("infrastructure"))
          .as(same)
          .isEmpty();
    }
  }

  @Test
  void whatIfAddsAndRemovesGroup() throws IOException {
    cluster = planned();

    var added =
        whatIf("{\"set\": [\"spec.regionServerGroups=[{name: ssd, replicas: 1}]\"]}").json();

    assertThat(added.path("groups").findValuesAsText("state")).containsExactly("same", "added");
    assertThat(added.path("groups").path(1).path("name").asText()).isEqualTo("ssd");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec.regionServers.memory.heap=2",
        "spec.regionServers.nothing=1",
        "spec.regionServers.memory.heap=",
        "metadata.name=other",
        "spec",
        "spec.regionServers.replicas=three",
        "spec.regionServers.memory.heap=!!java.net.URL x"
      })
  void whatIfReturnsReasonOfRefusal(String assignment) throws IOException {
    cluster = planned();

    var response = whatIf("{\"set\": [\"" + assignment + "\"]}");

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.json().path("refused")).isNotEmpty();
    assertThat(response.json().path("groups")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"set\": []}",
        "{\"set\": [null]}",
        "{\"set\": \"x\"}",
        "{\"set\": [], \"more\": 1}",
        "{\"set\": [[[[[[[[]]]]]]]]}"
      })
  void refusesInvalidWhatIf(String request) throws IOException {
    assertThat(whatIf(request).status()).isEqualTo(400);
  }

  @Test
  void refusesLargeWhatIf() throws IOException {
    assertThat(whatIf("x".repeat(WhatIf.LARGEST + 1)).status()).isEqualTo(413);
    assertThat(whatIf("{\"set\": [" + "\"a=1\",".repeat(20) + "\"a=1\"]}").status()).isEqualTo(400);
  }

  /** A form of another site can send each of these types. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data",
        "X-Nothing: 1"
      })
  void acceptsOnlyJson(String type) throws IOException {
    assertThat(whatIf("{\"set\": [\"spec.x=1\"]}", type).status()).isEqualTo(415);
  }

  @Test
  void refusesLinkOfAnotherSiteToWhatIf() throws IOException {
    assertThat(
            whatIf(
                    "{}",
                    "Content-Type: application/json",
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Mode: navigate")
                .status())
        .isEqualTo(403);
  }

  /**
   * Each request gets a result, is refused at once or, if the machine is too slow to read it in
   * time, is closed; views are not delayed.
   */
  @Test
  void thousandWhatIfsDelayNoView() throws Exception {
    cluster = planned();
    var senders = Executors.newFixedThreadPool(20);
    try {
      var statuses = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 1000; i++) {
        statuses.add(
            senders.submit(
                () ->
                    statusUnlessClosed(
                        () -> whatIf("{\"set\": [\"spec.regionServers.memory.heap=2Gi\"]}"))));
      }
      var views = new ArrayList<Integer>();
      for (int i = 0; i < 10; i++) {
        views.add(statusUnlessClosed(() -> get(LIST)));
      }
      assertThat(views).contains(200).isSubsetOf(200, CLOSED);
      for (var response : statuses) {
        assertThat(response.get(60, TimeUnit.SECONDS)).isIn(200, 503, CLOSED);
      }
      assertThat(statuses).anySatisfy(it -> assertThat(it.get()).isEqualTo(200));
    } finally {
      senders.shutdownNow();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(it -> it.getName().equals("what-if"))
        .hasSizeLessThanOrEqualTo(1);
  }

  /** A cluster with a valid spec. */
  private HBaseCluster planned() {
    var with =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo, namespace: shop, generation: 3}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers:
                replicas: 3
                memory: {heap: 1Gi, offHeap: 512Mi}
            """,
            HBaseCluster.class);
    with.setStatus(cluster.getStatus());
    return with;
  }

  @Test
  void listensOnlyOnLoopback() throws IOException {
    var others =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(it -> !it.isLoopbackAddress())
            .toList();
    for (InetAddress address : others) {
      assertThat(connects(address)).as("%s", address).isFalse();
    }
  }

  private boolean connects(InetAddress address) {
    try (var socket = new Socket(address, server.port())) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void incompleteRequestDelaysNoOther() throws IOException {
    try (var half = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      half.getOutputStream().write("GET / HTTP/1.1\r\nHost".getBytes(US_ASCII));

      assertThat(get(LIST).status()).isEqualTo(200);
    }
  }
}
