package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Values that HBase reloads while it runs, against a real API server. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class OnlineIT {
  private static final String MAP = "hb-regionserver-online";
  private static final String THREADS = "hbase.regionserver.thread.compaction.large";
  private static final String OTHER = "hbase.hstore.blockingStoreFiles";

  private KubernetesClient client;
  private String namespace;
  private WatchedNamespace hb;
  private ModelHBase hbase;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
    namespace = hb.name();
    hbase = hb.operator().hbase().of(namespace, "hb");
    hb.createReady("hb", Clusters.SMALLEST);
    awaitIdle();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void onlineValuesChangeOnlyTheirFile() {
    var before = versions();
    assertThat(hbase.reconfigured()).as("servers that were reconfigured without a reason").isZero();

    for (String config :
        new String[] {
          "config: {" + THREADS + ": '3'}", "config: {" + THREADS + ": '4'}", "config: {}"
        }) {
      int commands = hbase.reconfigured();
      edit(config);
      await(config)
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(hbase.reconfigured()).isEqualTo(commands + 3);
                assertThat(online()).isEqualTo(file(config));
              });
      awaitIdle();
      hb.awaitQuiet();
      assertThat(versions()).as("everything but the file of online values").isEqualTo(before);
    }
  }

  @Test
  void reconfiguresServersUntilFilesHaveArrived() {
    hbase.letFilesArrive(false);
    edit("config: {" + THREADS + ": '3'}");

    await("further commands").atMost(LONG).until(() -> hbase.reconfigured() >= 6);
    assertThat(progressing())
        .startsWith("True TakingOver: 3 region servers have not reloaded the online values yet");

    hbase.letFilesArrive(true);
    awaitIdle();
    int commands = hbase.reconfigured();
    hb.awaitQuiet();
    assertThat(hbase.reconfigured()).isEqualTo(commands);
  }

  @Test
  void otherValuesRestart() {
    var before = hb.simulator().planHashes("hb");

    edit("config: {" + OTHER + ": '20', " + THREADS + ": '3'}");

    await("a restart")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(hb.simulator().planHashes("hb")).hasSize(3).isNotEqualTo(before));
    assertThat(hbase.lost()).isEmpty();
  }

  private void edit(String more) {
    hb.declare("hb", Clusters.SMALLEST + "    " + more + "\n");
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
    // For people only: no server reads it.
    versions.removeIf(it -> it.startsWith("ConfigMap hb-plan "));
    return versions;
  }

  private String progressing() {
    return hb.condition("hb", "Progressing").orElse("");
  }

  private void awaitIdle() {
    await("idle")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(progressing()).startsWith("False Idle"));
  }
}
