package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.observe.RestartScope;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When pods are checked by a dry run, and how long a result counts. */
class PodAdmissionsTest extends PodAdmissionsScene {
  @Test
  void checksNoPodWhileAllAreAsDeclared() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(refused()).isEmpty();
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    }

    assertThat(requested()).isEmpty();
    assertThat(admissions.isEmpty()).isTrue();
  }

  @Test
  void checksNextPodForAllPodsToRestart() {
    cluster.change(SERVERS);
    response = REFUSED;

    assertThat(refused()).isEqualTo(all("exceeded quota: q", 0, 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-2");
  }

  @Test
  void checksEvery30Seconds() {
    cluster.change(SERVERS);
    response = REFUSED;
    for (int second = 0; second < 300; second++) {
      assertThat(refusedAfter(Duration.ofSeconds(1))).hasSize(3);
    }

    assertThat(requested()).hasSize(10);
  }

  @Test
  void responseCountsUntilNextOne() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    response = ADMITTED;

    assertThat(refusedAfter(Duration.ofSeconds(29))).hasSize(3);
    assertThat(refusedAfter(Duration.ofSeconds(1))).isEmpty();
    response = REFUSED;
    assertThat(refusedAfter(Duration.ofSeconds(29))).isEmpty();
    assertThat(refusedAfter(Duration.ofSeconds(1))).hasSize(3);
  }

  /** A server is drained only after a response about its own pod. */
  @Test
  void checksNextPodAtOnce() {
    cluster.change(SERVERS);
    refused();
    cluster.remake(SERVERS, 2);

    assertThat(refused()).isEmpty();
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-regionserver-1");
  }

  @Test
  void checksAnotherTemplateAtOnce() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    cluster.change(SERVERS);
    response = ADMITTED;

    assertThat(refused()).isEmpty();
    assertThat(requested()).hasSize(2);
  }

  @Test
  void checksNoPodThatMayNotRestartNow() {
    cluster.change(SERVERS);

    assertThat(
            admissions.refused(
                cluster.observed(), cluster.rollout(), role -> RestartScope.NONE, null))
        .isEmpty();
    assertThat(requested()).isEmpty();
    assertThat(admissions.isEmpty()).isTrue();
  }

  /** Outside of a window, the pods that serve nothing restart alone. */
  @Test
  void checksNextPodThatIsNotReadyOutsideOfAWindow() {
    cluster.change(SERVERS);
    cluster.serve(SERVERS, 2);
    response = REFUSED;

    assertThat(refused(RestartScope.NOT_READY)).containsEntry(SERVERS + "-1", "exceeded quota: q");
    assertThat(requested()).containsExactly("hb-regionserver-1");
    cluster.serve(SERVERS, 1);
    cluster.serve(SERVERS, 0);
    assertThat(refused(RestartScope.NOT_READY)).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** Each role's pods that serve nothing restart at once. */
  @Test
  void checksPodsOfAllRolesOutsideOfAWindow() {
    cluster.roles().forEach(it -> cluster.change(it.name()));
    response = REFUSED;

    assertThat(refused(RestartScope.NOT_READY)).hasSize(cluster.pods.size());
    assertThat(requested()).hasSize(cluster.roles().size());
  }

  @Test
  void checksNoPodBeforeControllerHasTemplate() {
    cluster.change(SERVERS);
    cluster.sets.computeIfPresent(SERVERS, (name, set) -> generation(set, 2L));
    assertThat(refused()).isEmpty();

    cluster.sets.remove(SERVERS);
    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** The pod without its containers would be refused, and the rollout wait without end. */
  @Test
  void checksNoPodOfSetThatIsNotKeptAsAWhole() {
    cluster.change(SERVERS);
    cluster.sets.computeIfPresent(
        SERVERS,
        (name, set) ->
            new StatefulSetBuilder(set)
                .editSpec()
                .editTemplate()
                .withNewSpec()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());

    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  private static StatefulSet generation(StatefulSet set, long generation) {
    return new StatefulSetBuilder(set)
        .editMetadata()
        .withGeneration(generation)
        .endMetadata()
        .build();
  }

  @Test
  void doesNotCheckTerminatingPods() {
    cluster.change(SERVERS);
    cluster.terminate(SERVERS, 2);
    refused();
    cluster.terminate(SERVERS, 1);
    cluster.terminate(SERVERS, 0);
    refused();

    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  @Test
  void checksPodThatIsMissingFor10Seconds() {
    cluster.pods.remove("hb-regionserver-1");
    cluster.pods.remove("hb-regionserver-2");
    response = REFUSED;

    assertThat(refused()).isEmpty();
    assertThat(refusedAfter(Duration.ofMillis(9_999))).isEmpty();
    assertThat(requested()).isEmpty();
    assertThat(refusedAfter(Duration.ofMillis(1))).isEqualTo(all("exceeded quota: q", 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-1 missing");
  }

  @Test
  void recreatedPodIsMissingSinceLastDeletion() {
    cluster.pods.remove("hb-regionserver-1");
    refused();
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    cluster.make(SERVERS, 1);
    refused();
    cluster.pods.remove("hb-regionserver-1");
    refused();

    refusedAfter(Duration.ofSeconds(9));
    assertThat(requested()).isEmpty();
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).hasSize(1);
  }

  /** With maxUnavailable 2, a serving pod must not be drained after another one was refused. */
  @Test
  void checksOutdatedPodBesideMissingPod() {
    cluster.change(SERVERS);
    cluster.pods.remove("hb-regionserver-2");
    response = REFUSED;

    assertThat(refused()).isEqualTo(all("exceeded quota: q", 0, 1));
    assertThat(refusedAfter(Duration.ofSeconds(10))).isEqualTo(all("exceeded quota: q", 0, 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-1", "hb-regionserver-2 missing");
  }

  /** Its drain took time: an old response is not enough to delete it. */
  @Test
  void checksPodOnceMoreBeforeDeletion() {
    cluster.change(SERVERS);
    refused();
    cluster.restarts(SERVERS + "-1", "Restart", "Drain");
    assertThat(refusedAfter(Duration.ofSeconds(5))).isEmpty();
    assertThat(requested()).containsExactly("hb-regionserver-2");

    cluster.restarts(SERVERS + "-1", "Restart", "Stop");
    response = REFUSED;
    assertThat(refused()).hasSize(3);
    assertThat(refusedAfter(Duration.ofSeconds(4))).hasSize(3);
    assertThat(requested()).containsExactly("hb-regionserver-1");
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  /** Its restart continues even if it is as declared again, or a window has closed. */
  @ParameterizedTest
  @ValueSource(strings = {"Drain", "Stop"})
  void checksPodThatIsReplacedNow(String step) {
    cluster.restarts(SERVERS + "-1", "Restart", step);
    response = REFUSED;

    assertThat(
            admissions.refused(
                cluster.observed(), cluster.rollout(), role -> RestartScope.NONE, null))
        .isEqualTo(all("exceeded quota: q", 1));
    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  @ParameterizedTest
  @CsvSource({"ScaleDown, Stop", "Restart, Start", "Restart, Return"})
  void doesNotCheckPodThatIsNotReplaced(String cause, String step) {
    cluster.restarts(SERVERS + "-1", cause, step);

    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** A new message causes a write of status, and ports and times differ each time. */
  @Test
  void keepsMessageThatDiffersInNumbersForTenMinutes() {
    cluster.change(SERVERS);
    var messages = new TreeSet<String>();
    for (int i = 0; i < 20; i++) {
      response =
          new PodDryRun.Refused(
              "failed calling webhook x: read tcp 10.0.0.1:" + (40_000 + i) + ": i/o timeout");
      messages.addAll(refusedAfter(Duration.ofSeconds(30)).values());
    }
    assertThat(messages).hasSize(1);

    assertThat(refusedAfter(Duration.ofSeconds(30)).values()).doesNotContainAnyElementsOf(messages);
    response = new PodDryRun.Refused("failed calling webhook x: connection refused");
    assertThat(refusedAfter(Duration.ofSeconds(30)).values())
        .containsOnly("failed calling webhook x: connection refused");
  }

  /** The beginning names who refuses. */
  @Test
  void shortensMessageToOneLine() {
    cluster.change(SERVERS);
    response = new PodDryRun.Refused("webhook x denied\n\u001b[31m" + "y".repeat(1 << 20));

    assertThat(refused().get("hb-regionserver-0"))
        .startsWith("webhook x denied [31myyy")
        .endsWith("y...")
        .hasSize(603);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forgetsDeletedCluster(boolean duringReconciliation) {
    cluster.change(SERVERS);
    response = REFUSED;
    if (duringReconciliation) {
      there.clear();
    }
    refused();
    if (!duringReconciliation) {
      assertThat(admissions.isEmpty()).isFalse();
      admissions.forget(ID);
    }

    assertThat(admissions.isEmpty()).isTrue();
  }

  /** A new operator process has no results. */
  @Test
  void checksAtOnceAfterOperatorRestart() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();

    assertThat(
            new PodAdmissions(nanos::get, there::contains, dryRun())
                .refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .hasSize(3);
    assertThat(requested()).hasSize(2);
  }
}
