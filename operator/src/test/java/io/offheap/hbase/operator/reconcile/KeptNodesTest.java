package io.offheap.hbase.operator.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.log.LogCapture;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.reconcile.KeptNodes.Counts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which claims of an earlier resource refuse a new one. */
class KeptNodesTest {
  private static final Map<String, String> LABELS =
      Map.of(
          "app.kubernetes.io/name", "hbase",
          "app.kubernetes.io/instance", "hb",
          "app.kubernetes.io/managed-by", "hbase-offheap-operator");

  private final Map<String, HasMetadata> claims = new ConcurrentHashMap<>();
  private final Map<String, HasMetadata> sets = new ConcurrentHashMap<>();
  private final List<String> requested = Collections.synchronizedList(new ArrayList<>());
  private HttpServer http;
  private KubernetesClient client;
  private boolean isForbidden;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::handle);
    http.start();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + http.getAddress().getPort())
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterEach
  void stop() {
    client.close();
    http.stop(0);
  }

  @Test
  void dataNodesAreFewerThanTheHighestClaim() {
    claim("data-hb-datanode-7");

    assertThat(problems(1, 3, new Counts(null, 30)))
        .singleElement()
        .asString()
        .startsWith(
            "spec.storage.managed.dataNodes: 3 is fewer than the 8 of claims up to"
                + " data-hb-datanode-7")
        .as("the claims of the declared data nodes are not to be deleted")
        .endsWith(
            "if the volumes of the others are no longer needed, delete the claims"
                + " data-hb-datanode-3 to data-hb-datanode-7 first");
  }

  /** The claims below the declared number are used again. */
  @Test
  void claimsOfDeclaredDataNodesAreNotCompared() {
    claim("data-hb-datanode-2");

    assertThat(problems(1, 3, new Counts(null, 30))).isEmpty();
  }

  /** Claims that are older than the last resource are not its own. */
  @Test
  void claimsAboveTheRememberedNumberAreNotCompared() {
    claim("data-hb-datanode-3");
    claim("data-hb-zookeeper-4");

    assertThat(problems(3, 3, new Counts(3, 3))).isEmpty();
  }

  @Test
  void claimsUpToTheFirstMissingOneAreComparedWithoutRememberedNumber() {
    claim("data-hb-datanode-3");
    claim("data-hb-datanode-5");

    assertThat(problems(1, 3, null))
        .singleElement()
        .asString()
        .endsWith(
            "must be at least 4; if the volumes of the others are no longer needed, delete"
                + " the claim data-hb-datanode-3 first");
  }

  /** Otherwise each declared number would be refused for one data node more. */
  @Test
  void allDataNodesAreFoundWithoutRememberedNumber() {
    for (int there : List.of(4, 8, 30, 1000)) {
      claims.clear();
      requested.clear();
      IntStream.range(0, there).forEach(it -> claim("data-hb-datanode-" + it));

      assertThat(problems(1, 3, null))
          .singleElement()
          .asString()
          .contains("at least " + there + ";");
      assertThat(requested).filteredOn(it -> it.contains("datanode-")).hasSizeLessThan(30);
      assertThat(problems(1, there, null)).isEmpty();
    }
  }

  /** Far from both ends of the remembered number. */
  @Test
  void allDataNodesAreFoundBelowTheRememberedNumber() {
    IntStream.range(0, 300).forEach(it -> claim("data-hb-datanode-" + it));

    assertThat(problems(1, 3, new Counts(null, 1000)))
        .singleElement()
        .asString()
        .contains("at least 300;");
    assertThat(requested).filteredOn(it -> it.contains("datanode-")).hasSizeLessThan(50);
  }

  /** As of pods that were never scheduled: no data is lost. */
  @Test
  void claimWithoutVolumeIsNotCompared() {
    claims.put("data-hb-datanode-3", pending("data-hb-datanode-3").build());
    claims.put("data-hb-zookeeper-2", pending("data-hb-zookeeper-2").build());

    assertThat(problems(1, 3, new Counts(3, 4))).isEmpty();
  }

  /** Its volume will be a copy, as after a restore from a snapshot. */
  @Test
  void pendingClaimWithSourceIsCompared() {
    claims.put(
        "data-hb-datanode-3",
        pending("data-hb-datanode-3")
            .editSpec()
            .withNewDataSource("snapshot.storage.k8s.io", "VolumeSnapshot", "s")
            .endSpec()
            .build());

    assertThat(problems(1, 3, new Counts(1, 4))).hasSize(1);
  }

  /** 1, 3 or 5 servers: two claims are those of three servers, of which one was deleted. */
  @Test
  void ensembleIsWhole() {
    claim("data-hb-zookeeper-1");

    assertThat(problems(1, 1, null))
        .singleElement()
        .asString()
        .startsWith("spec.zookeeper.managed.replicas: 1 is fewer than the 3 of claims up to")
        .contains("must be at least 3")
        .endsWith("delete the claims data-hb-zookeeper-0 to data-hb-zookeeper-1 first");
    assertThat(problems(3, 1, null)).isEmpty();
    assertThat(problems(5, 1, null)).as("others were lost with their disks").isEmpty();
    assertThat(problems(3, 1, new Counts(5, null))).hasSize(1);
  }

  /** Another chart's ZooKeeper of that name, and volumes that were made for servers to come. */
  @Test
  void claimsOfOthersAreNotCompared() {
    for (String name : List.of("data-hb-zookeeper-2", "data-hb-datanode-7")) {
      claim(name);
      claims.get(name).getMetadata().setLabels(Map.of("app.kubernetes.io/instance", "hb"));
    }
    assertThat(problems(1, 1, null)).isEmpty();

    claims.values().forEach(it -> it.getMetadata().setLabels(null));
    assertThat(problems(1, 1, new Counts(3, 8))).isEmpty();
  }

  /** It is deleted with the StatefulSet, as with deleteClaim. */
  @Test
  void claimThatItsStatefulSetOwnsIsNotCompared() {
    claim(
        "data-hb-zookeeper-2",
        new OwnerReferenceBuilder()
            .withApiVersion("apps/v1")
            .withKind("StatefulSet")
            .withName("hb-zookeeper")
            .withUid("u")
            .build());

    assertThat(problems(1, 1, null)).isEmpty();
  }

  /** One that was stopped by hand has no number to declare. */
  @Test
  void setOfZeroReplicasIsNotCompared() {
    sets.put("hb-zookeeper", set("hb-zookeeper", 0));

    assertThat(problems(3, 3, null)).isEmpty();

    claim("data-hb-zookeeper-2");
    assertThat(problems(3, 3, null)).isEmpty();
    assertThat(problems(1, 3, null))
        .singleElement()
        .asString()
        .contains("1 is fewer than the 3 of claims");

    sets.put("hb-zookeeper", set("hb-zookeeper", 3));
    assertThat(problems(1, 3, null))
        .singleElement()
        .asString()
        .contains("1 is not the 3 of StatefulSet hb-zookeeper");
  }

  /** Others may write any number into the config map. */
  @Test
  void requestsFewClaimsOfAnyRememberedNumber() {
    assertThat(problems(1, 1, new Counts(null, 1000))).isEmpty();

    assertThat(requested).filteredOn(it -> it.contains("datanode-")).hasSize(20);
  }

  /** With the rights of an earlier chart. */
  @Test
  void rememberedNumberCountsIfClaimsMayNotBeRead() {
    isForbidden = true;
    try (var log = LogCapture.of(KeptNodes.class)) {
      assertThat(problems(1, 3, new Counts(3, 30)))
          .hasSize(2)
          .allSatisfy(it -> assertThat(it.toString()).contains("config map hb-remembered"))
          .element(0)
          .asString()
          .endsWith(
              "delete that config map and the claims data-hb-datanode-3 to data-hb-datanode-29"
                  + " first");
      assertThat(problems(1, 3, null)).isEmpty();
      assertThat(log.lines())
          .isNotEmpty()
          .allSatisfy(
              it ->
                  assertThat(it)
                      .startsWith("WARN event=ClaimsNotReadable namespace=ns cluster=hb cause="));
    }
  }

  private List<PlanProblem> problems(int zookeeper, int dataNodes, Counts remembered) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: ns, uid: u}
            spec:
              zookeeper: {managed: {replicas: %d}}
              storage: {managed: {dataNodes: %d}}
              regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
            """
                .formatted(zookeeper, dataNodes),
            HBaseCluster.class);
    return new KeptNodes(cluster, Optional.ofNullable(remembered), client).problems();
  }

  private void claim(String name, OwnerReference... owners) {
    claims.put(
        name,
        pending(name)
            .editMetadata()
            .withOwnerReferences(owners)
            .endMetadata()
            .editSpec()
            .withVolumeName("volume-of-" + name)
            .endSpec()
            .build());
  }

  private static PersistentVolumeClaimBuilder pending(String name) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("ns")
        .withLabels(LABELS)
        .addToLabels(
            "app.kubernetes.io/component", name.contains("datanode") ? "datanode" : "zookeeper")
        .endMetadata()
        .withNewSpec()
        .endSpec();
  }

  private static StatefulSet set(String name, int replicas) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("ns")
        .withLabels(LABELS)
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .build();
  }

  /** An API server with claims and StatefulSets alone. */
  private void handle(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var name = path.substring(path.lastIndexOf('/') + 1);
    requested.add(name);
    boolean isOfClaim = path.contains("/persistentvolumeclaims/");
    var object = (isOfClaim ? claims : sets).get(name);
    int code = isOfClaim && isForbidden ? 403 : object == null ? 404 : 200;
    var body =
        Serialization.asJson(code == 200 ? object : new StatusBuilder().withCode(code).build())
            .getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
