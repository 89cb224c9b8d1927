package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An exception in a step of a reconciliation that the rollout does not need: servers that are
 * drained get their regions back all the same, and the rest of the rollout runs.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class FailingStepsIT {
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
  void tuning() {
    rollWhile(
        "a reading without a value", failure -> hb.hbases().setReadings(id -> failing(failure)));

    hb.hbases().setReadings(id -> List.of());
    awaitNoFailure();
  }

  @Test
  void conditions() {
    rollWhile(
        "a problem without a text", failure -> hb.hbases().setProblems(id -> failing(failure)));
    assertThat(hb.condition("Ready")).isPresent();

    hb.hbases().setProblems(id -> List.of());
    awaitNoFailure();
  }

  @Test
  void onlineConfiguration() {
    rollWhile(
        "a revision without a value",
        failure ->
            hb.hbases()
                .setRevisions(
                    (id, wanted) -> {
                      throw failure;
                    }));

    hb.hbases().setRevisions((id, wanted) -> Map.of());
    awaitNoFailure();
  }

  private static <T> List<T> failing(IllegalStateException failure) {
    return new AbstractList<>() {
      @Override
      public T get(int index) {
        throw failure;
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  private interface Step {
    void failWith(IllegalStateException failure);
  }

  /** Restarts all servers while a step fails in each pass. */
  private void rollWhile(String message, Step step) {
    var regions = hb.hbase().regionsByPod();
    var uids = servers.uids();
    step.failWith(new IllegalStateException(message));
    servers.setHeap("2Gi");

    await("all restarted").atMost(LONG).until(() -> servers.isDone(uids));
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    await("reported")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).contains("Failing", message)));
  }

  private void awaitNoFailure() {
    await("no failure any more")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).doesNotContain("Failing")));
  }
}
