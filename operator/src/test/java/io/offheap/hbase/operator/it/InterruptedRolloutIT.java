package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A rollout whose operator is stopped at every step, on a real API server, with a model of HBase in
 * its pods.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class InterruptedRolloutIT {
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

  /**
   * One rollout; after each stored step the operator is cut off and another one takes over. The
   * simulation of the decisions stops it at any point.
   */
  @Test
  void operatorStoppedAtEveryStepContinues() throws Exception {
    var regions = hb.hbase().regionsByPod();
    var uids = servers.uids();
    var cut = new CutAtSteps();
    hb.operator().close();
    hb.startOperator(cut);
    servers.setHeap("2Gi");

    while (!servers.isDone(uids)) {
      await("the next step").atMost(LONG).until(() -> cut.isCut() || servers.isDone(uids));
      if (cut.isCut()) {
        hb.operator().close();
        cut.mend();
        hb.startOperator(cut);
      }
    }

    hb.awaitReady();
    assertThat(cut.steps())
        .contains("hb-master-0", "hb-master-1", "hb-regionserver-2 CANARY")
        .containsAll(stepsOf("hb-regionserver-0"))
        .containsAll(stepsOf("hb-regionserver-1"))
        .containsAll(stepsOf("hb-regionserver-2"));
    // None of the operators has reported the step that it wrote last. The beginning of a comparison
    // is not among them: status has no time of it that stays.
    await("an event of each step")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(servers.eventReasons())
                    .contains(
                        "RolloutStarted",
                        "Draining",
                        "Stopping",
                        "Starting",
                        "Returning",
                        "RestartingMaster"));
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(hb.hbase().draining()).isEmpty();
  }

  private static List<String> stepsOf(String pod) {
    return Stream.of("Drain", "Stop", "Start", "Return").map(it -> pod + " " + it).toList();
  }
}
