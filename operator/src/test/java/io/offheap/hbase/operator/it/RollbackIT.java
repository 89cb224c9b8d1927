package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A change with which a region server does not serve, on a real API server, with a model of HBase
 * in its pods.
 */
@ExtendWith(ApiServer.class)
class RollbackIT {
  private ServingCluster hb;
  private RolledServers servers;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = ServingCluster.start(server, server.createNamespace(test), RolledServers.RESOURCE);
    servers = new RolledServers(hb);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void rollsBackServerThatExitsTwiceAtOnce(ApiServer.Running server) {
    var before = servers.planHashes();
    hb.simulator()
        .letBecomeReady(
            pod -> !RolledServers.isServer(pod) || before.contains(RolledServers.plan(pod)));
    servers.edit("heap: 1Gi", "heap: 2Gi");
    await("its pod")
        .atMost(LONG)
        .until(
            () ->
                servers.serverPods().stream()
                    .anyMatch(it -> !before.contains(RolledServers.plan(it))));

    servers.serverPods().stream()
        .filter(it -> !before.contains(RolledServers.plan(it)))
        .forEach(
            it ->
                KubeletReports.endTwice(
                    server.client(), it, "Unrecognized VM option 'NoSuchFlag=1'"));

    await("rolled back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("RolledBack"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .contains("CannotStart")
                                .contains("exit code 1")
                                .contains("Unrecognized VM option")));
    await("as before").atMost(LONG).until(() -> hb.status().rollout() == null);
    hb.awaitReady();
    assertThat(hb.events())
        .filteredOn(it -> it.getReason().equals("ChangeRolledBack"))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.getMessage())
                    .contains("CannotStart", "exit code 1", "Unrecognized VM option"));
    assertThat(servers.planHashes()).isEqualTo(before);
    assertThat(hb.hbase().lost()).isEmpty();
    await("a column shows it")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValue(
                        "False ChangeRolledBack: the declared change was rolled back; see condition"
                            + " RolledBack"));
  }

  @Test
  void rollsBackServerThatNeverServes() {
    var uids = servers.uids();
    var before = servers.planHashes();
    hb.simulator()
        .letBecomeReady(
            pod -> !RolledServers.isServer(pod) || before.contains(RolledServers.plan(pod)));

    servers.edit("heap: 1Gi", "heap: 2Gi", "window: 1s}", "window: 1s}, startTimeout: 5s");

    await("rolled back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("RolledBack"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("True ChangeRolledBack")
                                .contains("NotServing")));
    await("as before").atMost(LONG).until(() -> hb.status().rollout() == null);
    hb.awaitReady();
    assertThat(servers.planHashes()).isEqualTo(before);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(servers.uids().get("hb-regionserver-0")).isEqualTo(uids.get("hb-regionserver-0"));
    assertThat(servers.uids().get("hb-regionserver-1")).isEqualTo(uids.get("hb-regionserver-1"));
    assertThat(servers.uids().get("hb-regionserver-2")).isNotEqualTo(uids.get("hb-regionserver-2"));
  }
}
