package io.offheap.hbase.operator.report;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NamespaceableResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.prometheus.client.CollectorRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What an operator wrote to status and did not report before it ended. */
class MissedEventsTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.500Z");
  private static final String ROLLED_BACK = "ChangeRolledBack";
  private static final String LATEST = "Latest";

  /** The API server's events, by name. */
  private final Map<String, Event> events = new ConcurrentHashMap<>();

  /** What the last operator records with. */
  private Events latest;

  @Test
  void nextOperatorRecordsRollbackWithoutEvent() {
    operator(AT.plusSeconds(90)).written(cluster(AT));

    awaitEvent(ROLLED_BACK);
    assertThat(event(ROLLED_BACK).getMessage()).isEqualTo("NotServing: hb-regionserver-0");
  }

  @Test
  void nextOperatorRecordsNothingTwice() {
    var first = operator(AT.plusSeconds(1));
    first.written(cluster());
    first.written(cluster(AT));
    awaitEvent(ROLLED_BACK);

    records(operator(AT.plusSeconds(90)), cluster(AT));

    assertThat(event(ROLLED_BACK).getCount()).isEqualTo(1);
  }

  /** The API server has deleted the event of it by now. */
  @Test
  void nextOperatorRecordsNothingOld() {
    records(operator(AT.plus(Events.MISSED).plusSeconds(1)), cluster(AT));

    assertThat(events.values()).extracting(Event::getReason).containsExactly(LATEST);
  }

  /** No event is recorded since that time, so each next operator would record one. */
  @Test
  void nextOperatorRecordsNothingOfTheFuture() {
    records(operator(AT.minus(Events.AHEAD).minusSeconds(1)), cluster(AT));

    assertThat(events.values()).extracting(Event::getReason).containsExactly(LATEST);
  }

  @Test
  void nextOperatorWithASlowerClockRecordsRollbackWithoutEvent() {
    operator(AT.minus(Events.AHEAD).plusSeconds(1)).written(cluster(AT));

    awaitEvent(ROLLED_BACK);
  }

  @Test
  void anotherRollbackForTheSameReasonIsAnotherEvent() {
    operator(AT).written(cluster(AT));
    awaitEvent(ROLLED_BACK);
    var later = AT.plus(Duration.ofMinutes(5));

    records(operator(later.plusSeconds(1)), cluster(later));

    assertThat(event(ROLLED_BACK).getCount()).isEqualTo(2);
  }

  /** In the rollout that it was a part of, and in that rollout when it is over. */
  @Test
  @Slow
  void nextOperatorRecordsTheEndOfARestartWithoutEvent() {
    var restarts =
        """
        [{pod: hb-regionserver-1, cause: Restart, outcome: Restarted, regions: 3,
          drainMillis: 1000, ended: "%s"},
         {pod: hb-regionserver-2, cause: Restart, outcome: Restarted, regions: 3}]"""
            .formatted(AT);
    var began = AT.minus(Events.MISSED).minusSeconds(1);

    for (var status :
        List.of(
            "rollout: {started: %s, balancer: true, normalizer: true, finished: %s}",
            "lastRollout: {started: %s, servers: %s}")) {
      var written = cluster();
      written.setStatus(
          Serialization.unmarshal(status.formatted(began, restarts), HBaseClusterStatus.class));
      events.clear();
      records(operator(AT.plusSeconds(90)), written);

      assertThat(events.values())
          .extracting(Event::getReason)
          .containsExactlyInAnyOrder("ServerDone", LATEST);
      assertThat(event("ServerDone").getMessage())
          .isEqualTo(
              "hb-regionserver-1: 3 regions; seconds to drain 1.0, to stop 0.0, to serve 0.0, to"
                  + " return 0.0");
    }
  }

  /** Others may have written it. */
  @Test
  void rollbackWithMissingPartsIsRecordedWithTheOthers() {
    var evidence = Arrays.asList("one", null, "two");
    var back =
        Arrays.asList(
            null,
            new RolledBack(null, null, "CanaryWorse", evidence, null),
            new RolledBack("g", null, null, null, AT.toString()));
    var first = operator(AT.plusSeconds(1));
    first.written(cluster());

    first.written(with(back));

    await("events").atMost(LONG).until(() -> events.size() == 2);
    assertThat(events.values())
        .extracting(Event::getMessage)
        .containsExactlyInAnyOrder("CanaryWorse: one, two", "group g");
    records(operator(AT.plusSeconds(2)), with(back));
    assertThat(events.values()).extracting(Event::getCount).containsOnly(1);
  }

  /** Returns when the operator has recorded all that it reports of a cluster. */
  private void records(RolloutReports operator, HBaseCluster cluster) {
    operator.written(cluster);
    latest.normal(cluster, LATEST, "its recorder has one thread");
    awaitEvent(LATEST);
  }

  private void awaitEvent(String reason) {
    await(reason)
        .atMost(LONG)
        .until(() -> events.values().stream().anyMatch(it -> it.getReason().equals(reason)));
  }

  private Event event(String reason) {
    return events.values().stream()
        .filter(it -> it.getReason().equals(reason))
        .findFirst()
        .orElseThrow();
  }

  private RolloutReports operator(Instant now) {
    var clock = Clock.fixed(now, ZoneOffset.UTC);
    latest = new Events(client(), "operator", clock);
    return new RolloutReports(latest, new RolloutMetrics(new CollectorRegistry()), clock);
  }

  private static HBaseCluster cluster(Instant... rolledBack) {
    return with(
        Arrays.stream(rolledBack)
            .map(
                it ->
                    new RolledBack(
                        "", "d", "NotServing", List.of("hb-regionserver-0"), it.toString()))
            .toList());
  }

  private static HBaseCluster with(List<RolledBack> rolledBack) {
    var cluster = new HBaseCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("hb").withNamespace("ns").withUid("u").build());
    cluster.setStatus(
        HBaseClusterStatus.empty().remembering(null, null, null, rolledBack, null, null));
    return cluster;
  }

  private KubernetesClient client() {
    return proxy(KubernetesClient.class, (client, method, arguments) -> resource(arguments[0]));
  }

  private Object resource(Object item) {
    var event = (Event) item;
    var name = event.getMetadata().getName();
    return proxy(
        NamespaceableResource.class,
        (resource, method, arguments) ->
            switch (method.getName()) {
              case "get" -> events.get(name);
              case "create" -> {
                if (events.putIfAbsent(name, event) != null) {
                  throw new KubernetesClientException("exists", 409, null);
                }
                yield event;
              }
              case "patch" -> events.put(name, new EventBuilder(event).build());
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
