package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.report.Events;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Events on a real API server, with the rights that the chart grants. */
@ExtendWith(ApiServer.class)
class EventsIT {
  private final Instant begun = Instant.now().minusSeconds(1000);

  private ApiServer.Running server;
  private KubernetesClient client;
  private KubernetesClient operatorClient;
  private String namespace;
  private HBaseCluster cluster;

  @BeforeEach
  void make(ApiServer.Running running, TestInfo test) {
    server = running;
    client = server.client();
    operatorClient = server.operatorClient();
    namespace = server.createNamespace(test);
    cluster = client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  @AfterEach
  void close() {
    operatorClient.close();
  }

  private Events events(int secondsLater) {
    return new Events(
        operatorClient,
        "hbase-offheap-operator",
        Clock.fixed(begun.plusSeconds(secondsLater), ZoneOffset.UTC));
  }

  @Test
  void kubectlDescribesThemInTheirOrder() throws Exception {
    events(0).normal(cluster, "RestartBegun", "hb-regionserver-0 is drained: 12 regions");
    events(60).warning(cluster, "DrainSlow", "hb-regionserver-0 still has 3 regions");
    events(120).normal(cluster, "RestartDone", "hb-regionserver-0 serves with plan 1234");
    awaitEvents(3);

    var description =
        Tool.kubectl(server).run("describe", "hbc", "hb", "--namespace", namespace).orThrow();

    assertThat(description.substring(description.indexOf("Events:")))
        .containsSubsequence(
            "Normal",
            "RestartBegun",
            "hbase-offheap-operator",
            "is drained: 12 regions",
            "Warning",
            "DrainSlow",
            "hbase-offheap-operator",
            "still has 3 regions",
            "Normal",
            "RestartDone",
            "hbase-offheap-operator",
            "serves with plan 1234");
    assertThat(server.auditLog().forbidden()).noneMatch(it -> it.namespace().equals(namespace));
  }

  @Test
  void countsRepeatedEvents() {
    var before = events(0);
    before.normal(cluster, "Waiting", "for regions in transition");
    before.normal(cluster, "Waiting", "for regions in transition");
    before.normal(cluster, "Waiting", "for a master");
    awaitEvents(2);

    // A restarted operator has no memory of them.
    var later = events(100);
    later.normal(cluster, "Waiting", "for regions in transition");
    later.normal(cluster, "Waiting", "for regions in transition");
    later.warning(cluster, "Waiting", "for a master");
    awaitEvents(3);

    assertThat(list())
        .extracting(Event::getType, Event::getMessage, Event::getCount, EventsIT::seconds)
        .containsExactlyInAnyOrder(
            tuple("Normal", "for regions in transition", 4, 100L),
            tuple("Normal", "for a master", 1, 0L),
            tuple("Warning", "for a master", 1, 0L));
  }

  private static long seconds(Event event) {
    return Duration.between(
            Instant.parse(event.getFirstTimestamp()), Instant.parse(event.getLastTimestamp()))
        .toSeconds();
  }

  /** The API server deletes an event after an hour. */
  @Test
  void restoresDeletedObject() {
    var events = events(0);
    events.normal(cluster, "Waiting", "for a master");
    awaitEvents(1);
    client.resource(list().get(0)).delete();

    events.normal(cluster, "Waiting", "for a master");

    awaitEvents(1);
    assertThat(list().get(0).getCount()).isEqualTo(1);
  }

  @Test
  void numberOfAClusterIsBounded() {
    var events = events(0);
    for (int i = 0; i < 210; i++) {
      events.normal(cluster, "Waiting", "for " + i);
    }
    var other = client.resource(Clusters.smallest(namespace, "other")).create();
    events.normal(other, "Waiting", "another cluster");

    awaitEvents(201);
    assertThat(list()).extracting(Event::getMessage).contains("for 199", "another cluster");
    events(3601).normal(cluster, "Waiting", "an hour later");
    awaitEvents(202);
  }

  @Test
  void failureToRecordDoesNotPropagate() {
    var rightless = server.clientOf(new ServiceAccount(namespace, "without-rights"));
    var events = new Events(rightless, "test", Clock.systemUTC());

    events.normal(cluster, "Waiting", "for rights");
    await("a first attempt")
        .atMost(LONG)
        .until(
            () ->
                !server
                    .auditLog(new ServiceAccount(namespace, "without-rights"))
                    .forbidden()
                    .isEmpty());
    events.normal(cluster, "Waiting", "x".repeat(5000));

    assertThat(list()).isEmpty();
    rightless.close();
    events.normal(cluster, "Waiting", "for a client");
  }

  @Test
  void longNoteIsCutShort() {
    events(0).normal(cluster, "Waiting", "x".repeat(5000));

    awaitEvents(1);
    assertThat(list().get(0).getMessage()).hasSize(1024).endsWith("x...");
  }

  private void awaitEvents(int number) {
    await(number + " events").atMost(LONG).until(() -> list().size() >= number);
    await("and no more")
        .during(Duration.ofMillis(500))
        .atMost(LONG)
        .until(() -> list().size() == number);
  }

  private List<Event> list() {
    return client.v1().events().inNamespace(namespace).list().getItems();
  }
}
