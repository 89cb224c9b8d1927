package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NamespaceableResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.RememberedMap;
import io.offheap.hbase.operator.reconcile.RememberedMaps.Start;
import io.offheap.hbase.operator.report.Events;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a pass begins with, and what is reported of it. */
class RememberedMapsTest {
  private static final String OWN = "ours/hbase:2";
  private static final Images IMAGES = new Images("ours/hbase:1", "ours/hbase:0");
  private static final Images RENEWED =
      new Images("ours/hbase:1", "ours/hbase:0", null, "ours/hbase:3");

  private final Queue<String> reported = new ConcurrentLinkedQueue<>();
  private final HBaseCluster blank = cluster("1Gi");
  private HBaseCluster there = cluster("1Gi");
  private ConfigMap map;

  @Test
  void whatWasRememberedCountsAndIsReportedOnceAPassActs() {
    map = map(remembered(cluster("1Gi"), null));

    var start = start();

    assertThat(start.cluster().getStatus().images()).isEqualTo(IMAGES);
    assertThat(start.seen().getStatus()).isNull();
    assertThat(reported(start)).containsExactly("RememberedUsed config map hb-remembered: images");
  }

  /** The informer may not have the status that the last pass wrote. */
  @Test
  void aStatusThatIsOnlyNotSeenYetCounts() {
    map = map(remembered(cluster("1Gi"), null));
    there.getMetadata().setResourceVersion("42");
    there.setStatus(
        HBaseClusterStatus.empty()
            .remembering(null, new Images("ours/hbase:3", OWN), null, null, null, null));

    var start = start();

    assertThat(start.cluster()).isSameAs(there);
    assertThat(start.seen()).as("what is written over").isSameAs(there);
    assertThat(reported(start)).isEmpty();
  }

  @Test
  void theStatusOfAnotherResourceIsNotItsOwn() {
    there.getMetadata().setUid("other");
    there.setStatus(HBaseClusterStatus.empty().remembering(null, IMAGES, null, null, null, null));

    var start = start();

    assertThat(start.cluster()).isSameAs(blank);
    assertThat(start.seen()).isSameAs(blank);
  }

  /** A name node must not start with an earlier image: its volume is the same. */
  @Test
  void anotherSpecTakesTheImagesAndWhatHBaseIsToHaveBackAndNothingElse() {
    var copy = new RolloutCopy(Identity.of(blank), true, true, Map.of());
    var proven = List.of(new Proven("", "abc"));
    map =
        map(
            new Remembered(
                    1,
                    SpecFingerprint.of(cluster("2Gi").getSpec()),
                    RENEWED,
                    null,
                    null,
                    null,
                    null,
                    proven,
                    copy,
                    null)
                .text());

    var start = start();

    assertThat(start.left()).contains(copy);
    assertThat(start.cluster().getStatus())
        .isEqualTo(HBaseClusterStatus.empty().remembering(null, RENEWED, null, null, null, null));
    assertThat(reported(start))
        .containsExactly(
            "RememberedReplaced config map hb-remembered is of another spec, and is replaced",
            "RememberedUsed config map hb-remembered: images, what a rollout had taken from HBase");
  }

  @Test
  void anotherSpecTakesNoImageThatCannotBeDeclared() {
    var foreign = new Images("ours/hbase:1", "ours/hbase:0", null, "elsewhere/hbase:3");
    map =
        map(
            new Remembered(
                    1,
                    SpecFingerprint.of(cluster("2Gi").getSpec()),
                    foreign,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null)
                .text());

    var start = start();

    assertThat(start.cluster().getStatus().images())
        .isEqualTo(new Images("ours/hbase:1", "ours/hbase:0", null, null));
    assertThat(reported(start))
        .hasSize(3)
        .satisfies(
            it -> assertThat(it.get(0)).startsWith("RememberedIgnored").contains("elsewhere"))
        .satisfies(it -> assertThat(it.get(1)).startsWith("RememberedReplaced"))
        .satisfies(it -> assertThat(it.get(2)).startsWith("RememberedUsed"));
  }

  @Test
  void partThatCannotBeReadLeavesTheOthers() {
    var copy = new RolloutCopy(Identity.of(blank), true, true, Map.of());
    map = map(remembered(cluster("1Gi"), copy).replace("{\"version\"", "{\"live\":3,\"version\""));

    var start = start();

    assertThat(start.left()).contains(copy);
    assertThat(start.cluster().getStatus().images()).isEqualTo(IMAGES);
    assertThat(reported(start))
        .hasSize(2)
        .satisfies(
            it ->
                assertThat(it.get(0))
                    .startsWith("RememberedIgnored config map hb-remembered: live is left out: "))
        .satisfies(
            it ->
                assertThat(it.get(1))
                    .isEqualTo(
                        "RememberedUsed config map hb-remembered: images, what a rollout had taken"
                            + " from HBase"));
  }

  @Test
  void aServerWithoutANameIsLeftOutAndTheRestCounts() {
    var text =
        new Remembered(
                1,
                SpecFingerprint.of(blank.getSpec()),
                IMAGES,
                null,
                null,
                null,
                null,
                null,
                new RolloutCopy(Identity.of(blank), null, null, Map.of("hb-regionserver-0", "x")),
                null)
            .text()
            .replace("\"x\"", "null");
    map = map(text);

    var start = start();

    assertThat(start.left()).isEmpty();
    assertThat(start.cluster().getStatus().images()).isEqualTo(IMAGES);
    assertThat(reported(start)).hasSize(2).element(0).asString().contains("hbase: its servers");
  }

  /** Its plans are not known, so that a step Stop could stop a server that has regions again. */
  @Test
  void rolloutAloneInStatusIsNotContinuedButRestored() {
    var rollout =
        new RolloutStatus(
            "2025-11-01T02:00:00Z", true, false, null, null, null, null, null, null, null);
    var status = HBaseClusterStatus.empty().toBuilder().rollout(rollout).build();
    blank.setStatus(status);
    there.setStatus(status);
    var copy = new RolloutCopy(Identity.of(blank), true, false, Map.of());

    var withoutMap = start();
    assertThat(withoutMap.isNew()).isTrue();
    assertThat(withoutMap.left()).contains(copy);
    assertThat(withoutMap.cluster().getStatus().rollout()).isNull();
    assertThat(withoutMap.seen().getStatus().rollout()).isEqualTo(rollout);

    map = map(remembered(cluster("1Gi"), null));
    var start = start();
    assertThat(start.left()).contains(copy);
    assertThat(start.cluster().getStatus().rollout()).isNull();
    assertThat(start.cluster().getStatus().images()).isEqualTo(IMAGES);

    map = map(remembered(cluster("2Gi"), null).replace("\"images\"", "\"unknown\""));
    assertThat(start().cluster().getStatus().rollout()).as("of another spec").isNull();

    var servers = Map.of("hb-regionserver-0", "hb-regionserver-0.x,16020,1");
    map = map(remembered(cluster("1Gi"), new RolloutCopy(copy.identity(), null, null, servers)));
    assertThat(start().left())
        .as("of both")
        .contains(new RolloutCopy(copy.identity(), true, false, servers));

    there.setStatus(status.remembering(null, IMAGES, null, null, null, null));
    var notBlank = start();
    assertThat(notBlank.isNew()).isFalse();
    assertThat(notBlank.left()).contains(copy);
    assertThat(notBlank.cluster().getStatus().rollout()).as("its plans are not known").isNull();
    assertThat(notBlank.cluster().getStatus().images()).isEqualTo(IMAGES);
  }

  /** Nothing can be removed from it, and a removal that fails would be tried for ever. */
  @Test
  void restorationOfImmutableConfigMapIsReportedAndEnds() {
    var copy = new RolloutCopy(Identity.of(blank), true, true, Map.of());
    map = map(remembered(cluster("1Gi"), copy));
    map.setImmutable(true);

    maps(client()).restored(blank, copy, true, client());
    maps(client()).restored(blank, copy, false, client());

    await("an event").atMost(LONG).until(() -> !reported.isEmpty());
    assertThat(reported)
        .containsExactly(
            "RememberedIgnored config map hb-remembered: it is immutable and keeps what a rollout"
                + " had taken from HBase, which is restored");
  }

  /** A backup of a resource with deleteClaim, restored: the garbage collector deletes the map. */
  @Test
  void aMapThatADeletedResourceOwnsIsNotReadAndThatIsReported() {
    map = map(remembered(cluster("1Gi"), null));
    map.getMetadata()
        .setOwnerReferences(List.of(new OwnerReferenceBuilder().withUid("deleted").build()));

    var start = start();

    assertThat(start.cluster().getStatus()).isNull();
    assertThat(reported(start))
        .containsExactly(
            "RememberedIgnored config map hb-remembered: it is owned by a resource that was"
                + " deleted");
  }

  /** The operator leaves it: Kubernetes deletes an object after the last of its owners. */
  @Test
  void ownerThatOthersAddedBesideTheResourceDoesNotCount() {
    map = map(remembered(cluster("1Gi"), null));
    map.getMetadata()
        .setOwnerReferences(
            Stream.of("theirs", "u")
                .map(it -> new OwnerReferenceBuilder().withUid(it).build())
                .toList());

    var start = start();

    assertThat(start.cluster().getStatus().images()).isEqualTo(IMAGES);
    assertThat(reported(start)).containsExactly("RememberedUsed config map hb-remembered: images");
  }

  private Start start() {
    var client = client();
    return maps(client).start(blank, client);
  }

  private static RememberedMaps maps(KubernetesClient client) {
    var events = new Events(client, "operator", Clock.systemUTC());
    return RememberedMaps.of(OWN, Set.of(), PodRights.NONE, events, Clock.systemUTC());
  }

  /** All events, of which none was before. */
  private List<String> reported(Start start) {
    assertThat(reported).as("reported before the pass acts").isEmpty();
    start.report();
    await("events").atMost(LONG).until(() -> reported.size() == start.news().size());
    return List.copyOf(reported);
  }

  private ConfigMap map(String text) {
    return RememberedMap.of(blank, text);
  }

  private static String remembered(HBaseCluster cluster, RolloutCopy hbase) {
    return new Remembered(
            1,
            SpecFingerprint.of(cluster.getSpec()),
            IMAGES,
            null,
            null,
            null,
            null,
            null,
            hbase,
            null)
        .text();
  }

  private static HBaseCluster cluster(String heap) {
    return Serialization.unmarshal(
        """
        metadata: {name: hb, namespace: ns, uid: u, generation: 1, resourceVersion: '41'}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers: {memory: {heap: HEAP, offHeap: 512Mi}}
        """
            .replace("HEAP", heap),
        HBaseCluster.class);
  }

  /** An API server that has the resource and the config map, and takes events. */
  private KubernetesClient client() {
    return proxy(
        KubernetesClient.class,
        (client, method, arguments) ->
            switch (method.getName()) {
              case "resource" -> resource(arguments[0]);
              case "raw" -> json((String) arguments[0]);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private Object resource(Object item) {
    return proxy(
        NamespaceableResource.class,
        (resource, method, arguments) -> {
          if (item instanceof Event event && method.getName().equals("create")) {
            reported.add(event.getReason() + " " + event.getMessage());
            return event;
          }
          return there;
        });
  }

  private String json(String path) {
    assertThat(path).isEqualTo("/api/v1/namespaces/ns/configmaps/hb-remembered");
    return map == null ? null : Serialization.asJson(map);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
