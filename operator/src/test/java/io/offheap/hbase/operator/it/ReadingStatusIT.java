package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What kubectl shows of a cluster in each of its states, as docs/reading-status.md has it: the real
 * kubectl, a real API server, and a model of HBase in simulated pods. {@link ReadingTunedStatusIT}
 * has the state that takes as long as all of these.
 */
@ExtendWith(ApiServer.class)
class ReadingStatusIT {
  private static final String PAGE = "reading-status.md";

  /** The planner accepts it, and the JVM does not start. */
  private static final String MISSING_AGENT = "-javaagent:/opt/agent.jar";

  private Tool kubectl;

  @BeforeEach
  void findKubectl(ApiServer.Running server) throws IOException {
    kubectl = Tool.kubectl(server);
  }

  private void check(String heading, String namespace) throws IOException {
    new RecordedSection(PAGE, heading).check(kubectl, namespace);
  }

  @Test
  void refused(ApiServer.Running server) throws IOException {
    try (var hb = WatchedNamespace.start(server, "reading-refused")) {
      hb.create("hb", Clusters.SMALLEST.replace("offHeap: 512Mi", "offHeap: 64Mi"));
      awaitCondition(hb, "Planned", "False PlanRefused");
      hb.awaitQuiet();

      check("## Refused", hb.name());
    }
  }

  /** All but the region servers, which are not ready yet. */
  @Test
  void starting(ApiServer.Running server) throws IOException {
    try (var hb = WatchedNamespace.start(server, "reading-starting")) {
      hb.simulator().letBecomeReady(pod -> !RolledServers.isServer(pod));
      hb.create("hb", Clusters.SMALLEST);
      awaitCondition(hb, "Ready", "False WaitingForRegionServers");
      hb.awaitQuiet();

      check("## Starting", hb.name());
    }
  }

  private static void awaitCondition(WatchedNamespace hb, String type, String beginning) {
    await(type)
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", type))
                    .hasValueSatisfying(it -> assertThat(it).startsWith(beginning)));
  }

  /** The canary passed, and the next server starts. */
  @Test
  void rolling(ApiServer.Running server) throws IOException {
    server.createNamespace("reading-rolling");
    try (var hb = ServingCluster.start(server, "reading-rolling", RolledServers.RESOURCE)) {
      var servers = new RolledServers(hb);
      var before = servers.planHashes();
      hb.simulator()
          .letBecomeReady(
              pod ->
                  !pod.getMetadata().getName().equals("hb-regionserver-1")
                      || before.contains(RolledServers.plan(pod)));
      servers.edit("heap: 1Gi", "heap: 2Gi");
      await("the second server starts")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(hb.status().regionServers())
                      .extracting(RegionServer::state)
                      .containsExactly(State.Outdated, State.Starting, State.Serving));
      hb.awaitQuiet();

      check("## Rolling", "reading-rolling");
      TerminalPicture.check(
          "plugin-rollout.svg", "kubectl hbc status hb --watch", screen(server, "reading-rolling"));
    }
  }

  /** Without events: those of the same second have no order. */
  private static String screen(ApiServer.Running server, String namespace) throws IOException {
    var text =
        Tool.script(Path.of("src/plugin/kubectl-hbc"), server)
            .run(List.of("status", "hb", "--color", "--namespace", namespace))
            .orThrow();
    var ages = text.replaceAll("(since )\\d+[smh]", "$184s").replaceAll("( for )\\d+[smh]", "$19s");
    return ages.substring(0, ages.lastIndexOf("\u001b[1mAGO")).replace(namespace, "default");
  }

  /** The canary's process ended twice at its start. */
  @Test
  void rolledBack(ApiServer.Running server) throws IOException {
    server.createNamespace("reading-rolled-back");
    try (var hb = ServingCluster.start(server, "reading-rolled-back", RolledServers.RESOURCE)) {
      var servers = new RolledServers(hb);
      var before = servers.planHashes();
      hb.simulator()
          .letBecomeReady(
              pod -> !RolledServers.isServer(pod) || before.contains(RolledServers.plan(pod)));
      servers.edit("replicas: 3", "replicas: 3\n    jvmOptions: [\"" + MISSING_AGENT + "\"]");
      var canary =
          await("canary").atMost(LONG).until(() -> other(servers, before), Optional::isPresent);
      KubeletReports.endTwice(
          server.client(),
          canary.orElseThrow(),
          "Error opening zip file or JAR manifest missing : /opt/agent.jar");
      await("rolled back")
          .atMost(LONG)
          .until(
              () ->
                  hb.condition("Progressing")
                      .filter(it -> it.startsWith("False ChangeRolledBack"))
                      .isPresent());
      hb.awaitReady();
      hb.awaitQuiet();

      check("## Rolled back", "reading-rolled-back");
    }
  }

  private static Optional<Pod> other(RolledServers servers, Set<String> plans) {
    return servers.serverPods().stream()
        .filter(it -> !plans.contains(RolledServers.plan(it)))
        .findFirst();
  }
}
