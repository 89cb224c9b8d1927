package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What nobody can run is turned down, by the API server where its schema can tell, else by the
 * operator: with the field, the value and what would be right, and without a touch on what runs.
 */
@ExtendWith(ApiServer.class)
class BadInputIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** Where no cluster exists when a case is tried. */
  private static final String EMPTY = "bad-input-empty";

  /** Where the cluster {@code hb} serves when a case is tried as a change of it. */
  private static final String RUNNING = "bad-input-running";

  /** Where a cluster on an HDFS of others is made. */
  private static final String EXTERNAL = "bad-input-external";

  private static final String GOOD =
      Clusters.SMALLEST.replace("NAMESPACE", RUNNING).replace("NAME", "hb");

  private static ApiServer.Running server;
  private static KubernetesClient client;
  private static Tool kubectl;
  private static OperatorUnderTest operator;
  private static List<StatefulSetSimulator> simulators;

  @TempDir private Path folder;

  @BeforeAll
  static void start(ApiServer.Running running) throws IOException {
    server = running;
    client = server.client();
    kubectl = Tool.kubectl(server);
    Stream.of(EMPTY, RUNNING, EXTERNAL).forEach(server::createNamespace);
    simulators =
        Stream.of(RUNNING, EXTERNAL).map(it -> new StatefulSetSimulator(client, it)).toList();
    operator = OperatorUnderTest.start(server, EMPTY, RUNNING, EXTERNAL);
  }

  @AfterAll
  static void stop() {
    operator.close();
    simulators.forEach(StatefulSetSimulator::close);
  }

  /** So that a case that is taken by mistake fails alone. */
  @AfterEach
  void empty() {
    var clusters = client.resources(HBaseCluster.class).inNamespace(EMPTY);
    clusters.delete();
    await("deletion")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> clusters.list().getItems().isEmpty());
  }

  static List<InvalidCase> rejectedByTheApiServer() throws IOException {
    return cases("apiserver", "created");
  }

  static List<InvalidCase> refusedByTheOperator() throws IOException {
    return cases("operator", "created");
  }

  static List<InvalidCase> changesRejectedByTheApiServer() throws IOException {
    return cases("apiserver", "updated");
  }

  static List<InvalidCase> changesRefusedByTheOperator() throws IOException {
    return cases("operator", "updated");
  }

  private static List<InvalidCase> cases(String rejectedBy, String when) throws IOException {
    return InvalidCase.all().stream()
        .filter(it -> it.isRejectedBy(rejectedBy) && it.isTriedWhen(when))
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void rejectedByTheApiServer(InvalidCase invalid) throws IOException {
    var result = apply(EMPTY, invalid.file());

    assertThat(result.status()).as("exit status of %s", invalid).isNotZero();
    assertThat(result.errors()).contains(invalid.messages());
    assertThat(client.resources(HBaseCluster.class).inNamespace(EMPTY).list().getItems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void refusedByTheOperator(InvalidCase invalid) throws IOException {
    apply(EMPTY, invalid.file()).orThrow();

    awaitRefusal(EMPTY, invalid);

    assertThat(Clusters.owned(client, EMPTY)).isEmpty();
    assertThat(Clusters.condition(Clusters.get(client, EMPTY, invalid.clusterName()), "Ready"))
        .hasValue("False NotPlanned: nothing was made; see condition Planned");
  }

  @ParameterizedTest
  @MethodSource
  void changesRejectedByTheApiServer(InvalidCase invalid) throws IOException {
    var before = runningCluster();

    var result = apply(RUNNING, invalid.file());

    assertThat(result.status()).as("exit status of %s", invalid).isNotZero();
    assertThat(result.errors()).contains(invalid.messages());
    assertNothingTouched(before);
  }

  @ParameterizedTest
  @MethodSource
  void changesRefusedByTheOperator(InvalidCase invalid) throws IOException {
    var before = runningCluster();
    int writes = server.auditLog().writesIn(RUNNING).size();

    apply(RUNNING, invalid.file()).orThrow();

    awaitRefusal(RUNNING, invalid);
    assertNothingTouched(before);
    var since = server.auditLog().writesIn(RUNNING);
    assertThat(since.subList(writes, since.size()))
        .allSatisfy(
            it ->
                assertThat(it)
                    .isEqualTo(
                        new AuditLog.Request("patch", "hbaseclusters", "status", RUNNING, "hb")));
    assertThat(Clusters.condition(Clusters.get(client, RUNNING, "hb"), "Ready"))
        .as("what runs is as ready as it was")
        .hasValueSatisfying(it -> assertThat(it).startsWith("True"));
  }

  @Test
  void whatIsDeletedWhileTheResourceIsRefusedIsPutBackAsItWas() throws IOException {
    runningCluster();
    var set = client.apps().statefulSets().inNamespace(RUNNING).withName("hb-master");
    var before = set.get().getSpec();
    apply(RUNNING, fileOf("good-changes-with-a-bad-one")).orThrow();
    awaitRefusal(RUNNING, caseOf("good-changes-with-a-bad-one"));

    set.delete();

    await("StatefulSet put back").atMost(LONG).until(() -> set.get() != null);
    assertThat(set.get().getSpec()).isEqualTo(before);
  }

  @Test
  void missingConfigurationOfAnExternalHdfsIsWaitedFor() throws IOException {
    var invalid = caseOf("external-configuration-missing");
    apply(EXTERNAL, invalid.file()).orThrow();
    awaitRefusal(EXTERNAL, invalid);

    var configMap =
        client
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("hdfs-site")
                    .withNamespace(EXTERNAL)
                    .endMetadata()
                    .addToData("hdfs-site.xml", "<configuration/>")
                    .build())
            .create();

    Clusters.awaitReady(client, EXTERNAL, "hb");
    assertThat(Clusters.configMapsOf(client, EXTERNAL, "hb-regionserver")).contains("hdfs-site");

    // What runs has read it already.
    var before = Clusters.versions(client, EXTERNAL);
    client.resource(configMap).delete();
    client.resources(HBaseCluster.class).inNamespace(EXTERNAL).withName("hb").scale(5);
    awaitRefusal(EXTERNAL, invalid);
    server.auditLog().awaitQuiet(EXTERNAL);
    assertThat(Clusters.versions(client, EXTERNAL)).isEqualTo(before);
    // No other case counts the passes that go on looking for it.
    client.resources(HBaseCluster.class).inNamespace(EXTERNAL).withName("hb").delete();
  }

  /** Brings the cluster back to what runs, and tells its versions. */
  private Set<String> runningCluster() throws IOException {
    var running = Clusters.get(client, RUNNING, "hb");
    if (running == null || !running.getSpec().equals(Clusters.smallest(RUNNING, "hb").getSpec())) {
      apply(RUNNING, Files.writeString(folder.resolve("good.yaml"), GOOD)).orThrow();
    }
    await("good resource taken")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> isDecided(Clusters.get(client, RUNNING, "hb"), "True Planned"));
    Clusters.awaitReady(client, RUNNING, "hb");
    return Clusters.versions(client, RUNNING);
  }

  private static Tool.Result apply(String namespace, Path file) throws IOException {
    return kubectl.run("apply", "--namespace", namespace, "--filename", file.toString());
  }

  private static void awaitRefusal(String namespace, InvalidCase invalid) {
    var name = invalid.clusterName();
    await("refusal of " + invalid)
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> isDecided(Clusters.get(client, namespace, name), "False " + invalid.reason()));
    assertThat(Clusters.condition(Clusters.get(client, namespace, name), "Planned"))
        .hasValueSatisfying(it -> assertThat(it).contains(invalid.messages()));
  }

  /** Whether the operator has said this of the spec as it is now. */
  private static boolean isDecided(HBaseCluster cluster, String decision) {
    return cluster.getStatus() != null
        && cluster.getMetadata().getGeneration().equals(cluster.getStatus().observedGeneration())
        && Clusters.condition(cluster, "Planned").filter(it -> it.startsWith(decision)).isPresent();
  }

  /** Neither by the passes so far nor by one more, which is woken for this. */
  private static void assertNothingTouched(Set<String> before) {
    // The pass that has refused may be counted only now: the second one began after it.
    wakeAPass();
    wakeAPass();
    assertThat(Clusters.versions(client, RUNNING)).isEqualTo(before);
  }

  private static void wakeAPass() {
    double passes = operator.passes("success");
    client
        .resources(HBaseCluster.class)
        .inNamespace(RUNNING)
        .withName("hb")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"annotations\":{\"example.com/woken\":\"" + passes + "\"}}}");
    await("a pass")
        .pollInterval(Duration.ofMillis(20))
        .atMost(LONG)
        .until(() -> operator.passes("success") > passes);
  }

  private static Path fileOf(String name) throws IOException {
    return caseOf(name).file();
  }

  private static InvalidCase caseOf(String name) throws IOException {
    return InvalidCase.all().stream()
        .filter(it -> it.toString().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
