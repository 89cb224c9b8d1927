package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.observe.RestartScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Dry runs of pods without a response, which a slow webhook causes. */
class SilentPodAdmissionsTest extends PodAdmissionsScene {
  /** A missing response does not admit a pod that was refused before. */
  @Test
  void refusalCountsWhileThereIsNoResponse() {
    cluster.change(SERVERS);
    IntStream.range(0, 3).forEach(it -> cluster.serve(SERVERS, it));
    response = REFUSED;
    refused();
    response = SILENT;
    for (int minute = 0; minute < 60; minute++) {
      assertThat(refusedAfter(Duration.ofMinutes(1))).hasSize(3);
    }
    requested();

    response = ADMITTED;
    assertThat(refusedAfter(Duration.ofMinutes(5))).isEmpty();
  }

  /** A webhook that failed once and is slow from then on: the StatefulSet's controller may wait. */
  @Test
  void oldRefusalKeepsNoPodThatServesNothing() {
    cluster.change(SERVERS);
    cluster.serve(SERVERS, 0);
    cluster.serve(SERVERS, 2);
    response = REFUSED;
    refused();
    response = SILENT;

    assertThat(refusedAfter(Duration.ofMinutes(9))).hasSize(3);
    assertThat(refusedAfter(Duration.ofMinutes(2))).isEqualTo(all("exceeded quota: q", 0, 2));
  }

  @Test
  void refusalCountsAfterDeletionOfCheckedPod() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    cluster.terminate(SERVERS, 2);
    response = SILENT;

    assertThat(refused()).hasSize(3);
  }

  @Test
  void missingResponseRefusesNoPod() {
    cluster.change(SERVERS);
    response = SILENT;

    assertThat(refused()).isEmpty();
  }

  /** Each may take 5 s, and a cluster has many StatefulSets. */
  @Test
  void waitsOnceWithoutResponseAndDoublesThePause() {
    cluster.roles().forEach(it -> cluster.change(it.name()));
    response = SILENT;
    refused();
    assertThat(requested()).hasSize(1);

    var gaps = new ArrayList<Integer>();
    int last = 0;
    for (int second = 1; second < 1800; second++) {
      refusedAfter(Duration.ofSeconds(1));
      if (!requested().isEmpty()) {
        gaps.add(second - last);
        last = second;
      }
    }
    assertThat(gaps).startsWith(30, 60, 120, 240, 300, 300);

    response = ADMITTED;
    refusedAfter(Duration.ofMinutes(5));
    assertThat(requested()).as("all, when it responds").hasSize(cluster.roles().size());
    response = SILENT;
    refusedAfter(Duration.ofSeconds(30));
    refusedAfter(Duration.ofSeconds(30));
    assertThat(requested()).as("the first pause is short again").hasSize(2);
  }

  /** A webhook may select the pods of one StatefulSet. */
  @Test
  void podWithoutResponseDelaysNoOther() {
    cluster.change("hb-master");
    cluster.change(SERVERS);
    responses.put("hb-master-0", SILENT);
    response = REFUSED;

    assertThat(refused()).isEmpty();
    assertThat(requested()).containsExactly("hb-master-0");
    assertThat(refusedAfter(Duration.ofSeconds(30))).hasSize(3);
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-master-0");
    refusedAfter(Duration.ofSeconds(59));
    assertThat(requested()).isEmpty();
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-master-0");
  }

  /** As with a webhook for all pods that does not respond: 200 clusters, ten threads. */
  @Test
  @Slow
  void reconcilesOtherClustersWhileThreeWait() throws Exception {
    var clusterResponse = new AtomicReference<Response>(SILENT);
    var silence = new CountDownLatch(1);
    var waiting = new CountDownLatch(3);
    var silent =
        new PodAdmissions(
            nanos::get,
            id -> true,
            (client, set, ordinal, isReplaced) -> {
              waiting.countDown();
              try {
                silence.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return clusterResponse.get();
            });
    var held =
        IntStream.range(0, 3)
            .mapToObj(it -> new DryRunCluster("hb-" + it))
            .map(
                it -> {
                  it.change(it.servers());
                  return CompletableFuture.runAsync(
                      () ->
                          silent.refused(
                              it.observed(), it.rollout(), role -> RestartScope.ALL, null),
                      task -> new Thread(task, "pass").start());
                })
            .toList();
    assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
    cluster.change(SERVERS);

    assertThat(
            silent.refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .isEmpty();
    assertThat(held).noneMatch(CompletableFuture::isDone);

    silence.countDown();
    CompletableFuture.allOf(held.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    clusterResponse.set(REFUSED);
    assertThat(
            silent.refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .as("in the next reconciliation, without a pause")
        .hasSize(3);
  }

  @Test
  void interruptedThreadChecksNothingAndStaysInterrupted() {
    cluster.change(SERVERS);
    Thread.currentThread().interrupt();

    assertThat(refused()).isEmpty();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(requested()).isEmpty();
  }
}
