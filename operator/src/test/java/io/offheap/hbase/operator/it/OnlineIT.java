package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What HBase takes over while it runs, against a real API server. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class OnlineIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String MAP = "hb-regionserver-online";
  private static final String THREADS = "hbase.regionserver.thread.compaction.large";
  private static final String OTHER = "hbase.hstore.blockingStoreFiles";

  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;
  private ModelHBase hbase;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    client = running.client();
    var method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    namespace = method.substring(0, Math.min(40, method.length()));
    server.createNamespace(namespace);
    simulator = new StatefulSetSimulator(client, namespace);
    operator = OperatorUnderTest.start(server, namespace);
    hbase = operator.hbase().of(namespace, "hb");
    client.resource(Clusters.smallest(namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");
    awaitIdle();
  }

  @AfterEach
  void stop() {
    operator.close();
    simulator.close();
  }

  @Test
  void onlyTheFileOfOnlineValuesChangesWhereAllAreSuch() {
    var before = versions();
    assertThat(hbase.reconfigured()).as("servers that were told without a reason").isZero();

    for (String config :
        new String[] {
          "config: {" + THREADS + ": '3'}", "config: {" + THREADS + ": '4'}", "config: {}"
        }) {
      int told = hbase.reconfigured();
      edit(config);
      await(config)
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(hbase.reconfigured()).isEqualTo(told + 3);
                assertThat(online()).isEqualTo(file(config));
              });
      awaitIdle();
      server.auditLog().awaitQuiet(namespace);
      assertThat(versions()).as("everything but the file of online values").isEqualTo(before);
    }
  }

  @Test
  void serversAreToldUntilTheirFilesHaveCome() {
    hbase.letFilesArrive(false);
    edit("config: {" + THREADS + ": '3'}");

    await("told again").atMost(LONG).until(() -> hbase.reconfigured() >= 6);
    assertThat(progressing())
        .startsWith("True TakingOver: 3 region servers have not taken the online values yet");

    hbase.letFilesArrive(true);
    awaitIdle();
    int told = hbase.reconfigured();
    server.auditLog().awaitQuiet(namespace);
    assertThat(hbase.reconfigured()).isEqualTo(told);
  }

  @Test
  void otherValuesRestart() {
    var before = simulator.planHashes("hb");

    edit("config: {" + OTHER + ": '20', " + THREADS + ": '3'}");

    await("a restart")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(simulator.planHashes("hb")).hasSize(3).isNotEqualTo(before));
    assertThat(hbase.lost()).isEmpty();
  }

  private void edit(String more) {
    Clusters.declare(client, namespace, "hb", Clusters.SMALLEST + "    " + more + "\n");
  }

  private String online() {
    var file =
        client
            .configMaps()
            .inNamespace(namespace)
            .withName(MAP)
            .get()
            .getData()
            .get(OnlineKeys.FILE);
    return file.contains(THREADS)
        ? file.replaceAll("(?s).*" + THREADS + "</name><value>(\\d).*", "$1")
        : "";
  }

  private static String file(String config) {
    return config.contains(THREADS) ? config.replaceAll(".*'(\\d)'.*", "$1") : "";
  }

  private Set<String> versions() {
    var versions = new TreeSet<>(Clusters.versions(client, namespace));
    versions.removeIf(it -> it.startsWith("ConfigMap " + MAP + " "));
    return versions;
  }

  private String progressing() {
    return Clusters.condition(Clusters.get(client, namespace, "hb"), "Progressing").orElse("");
  }

  private void awaitIdle() {
    await("idle")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(progressing()).startsWith("False Idle"));
  }
}
