package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another image of the managed ZooKeeper and HDFS. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class InfrastructureImagesIT {
  private static final String RENEWED =
      Clusters.SMALLEST
          .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {image: {tag: new}}}")
          .replace("storage: {managed: {}}", "storage: {managed: {image: {tag: newer}}}");

  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void restartsPodsOfZooKeeperAndHdfsAlone() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var before = tags();
    var servers = uids("regionserver");

    hb.declare("hb", RENEWED);

    await("renewed")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(tags())
                    .containsEntry("zookeeper", ":new")
                    .containsEntry("namenode", ":newer")
                    .containsEntry("datanode", ":newer"));
    hb.awaitReady("hb");
    hb.awaitQuiet();
    assertThat(uids("regionserver")).isEqualTo(servers);
    assertThat(tags().get("regionserver")).isEqualTo(before.get("regionserver"));

    // Left out again, nothing restarts.
    var all = pods().stream().map(it -> it.getMetadata().getUid()).toList();
    hb.declare("hb", Clusters.SMALLEST);
    await("planned")
        .atMost(LONG)
        .until(
            () ->
                hb.get("hb")
                    .getMetadata()
                    .getGeneration()
                    .equals(hb.get("hb").getStatus().observedGeneration()));
    hb.awaitQuiet();
    assertThat(pods().stream().map(it -> it.getMetadata().getUid()).toList()).isEqualTo(all);
  }

  @Test
  void stopsAtFirstPodThatDoesNotServe() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var hdfs = uids("namenode", "datanode");
    hb.simulator().letBecomeReady(it -> !tag(it).equals(":new"));

    hb.declare("hb", RENEWED);

    awaitTag("zookeeper", ":new");
    hb.awaitQuiet();
    assertThat(uids("namenode", "datanode")).isEqualTo(hdfs);
    KubeletReports.cannotPull(hb.client(), pod("hb-zookeeper-0"));
    awaitProgressing(
        "Restarting: zookeeper: a pod does not serve (hb-zookeeper-0, which cannot pull its image:"
            + " ErrImagePull, not found)");

    hb.simulator().letBecomeReady(it -> true);
    awaitTag("namenode", ":newer");
    awaitTag("datanode", ":newer");
    hb.awaitReady("hb");
  }

  /** No other pod is outdated, so nothing waits for it. */
  @Test
  void progressingNamesPodThatCannotStart() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.simulator().letBecomeReady(it -> !tag(it).equals(":new"));

    hb.declare("hb", RENEWED.replace("{image: {tag: newer}}", "{}"));

    awaitTag("zookeeper", ":new");
    KubeletReports.cannotPull(hb.client(), pod("hb-zookeeper-0"));
    awaitProgressing(
        "Starting: waiting for pods to serve: hb-zookeeper-0, which cannot pull its image:"
            + " ErrImagePull, not found");
  }

  /** A region server that waits for the name node keeps the rollout from ending. */
  @Test
  void restartsNameNodeThatCannotStartDuringRollout() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var former = tags().get("namenode");
    declareNameNodeThatCannotStart();
    hb.simulator().letBecomeReady(it -> !isHBase(it) && !tag(it).equals(":newer"));
    // As servers do that abort without a name node.
    pods().stream().filter(InfrastructureImagesIT::isHBase).forEach(it -> delete(it));
    var larger = RENEWED.replace("heap: 1Gi", "heap: 2Gi");
    hb.declare("hb", larger);
    await("a rollout").atMost(LONG).until(() -> hb.get("hb").getStatus().rollout() != null);
    awaitProgressing("; not serving: hb-namenode-0, which has ended 2 times");

    hb.declare("hb", larger.replace("tag: newer", "tag: " + former.substring(1)));

    awaitTag("namenode", former);
    assertThat(hb.get("hb").getStatus().rollout()).isNotNull();
    var nameNode = uids("namenode");
    hb.simulator().letBecomeReady(it -> true);
    hb.awaitReady("hb");
    assertThat(uids("namenode")).as("restarted once").isEqualTo(nameNode);
  }

  @Test
  void restartsNameNodeThatCannotStartThoughZooKeeperWaitsForWindow() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var former = tags().get("namenode");
    declareNameNodeThatCannotStart();
    var zookeeper = uids("zookeeper");

    hb.declare(
        "hb",
        RENEWED
            .replaceAll("tag: newe?r?", "tag: " + former.substring(1))
            .replace(
                "  regionServers:",
                "  rollout: {windows: [" + closedWindow() + "]}\n  regionServers:"));

    awaitTag("namenode", former);
    awaitProgressing("WaitingToRestart: zookeeper: no maintenance window is open (hb-zookeeper-0)");
    assertThat(uids("zookeeper")).isEqualTo(zookeeper);
  }

  /** Nothing else wakes an operator without tuning. */
  @Test
  void renewsPodWhenItIsNoLongerRefused() {
    var resource = Clusters.SMALLEST.replace("spec:", "spec:\n  tuning: {mode: Disabled}");
    hb.createReady("hb", resource);
    hb.awaitQuiet();
    var before = uids("zookeeper");
    var full = Map.of("limits.memory", new Quantity("1Mi"));
    var quota = Quotas.make(hb.client(), hb.name(), full, full);

    hb.declare(
        "hb", resource.replace("zookeeper: {managed: {}}", "zookeeper: {managed: {heap: 1Gi}}"));

    awaitProgressing(
        "PodRefused: the API server refuses the pod that would follow: hb-zookeeper-0");
    hb.awaitQuiet();
    double passes = hb.operator().passes("success");
    await("further passes").atMost(LONG).until(() -> hb.operator().passes("success") > passes + 3);
    assertThat(uids("zookeeper")).isEqualTo(before);
    hb.client().resource(quota).delete();
    await("renewed")
        .atMost(LONG)
        .until(() -> uids("zookeeper").size() == 1 && !uids("zookeeper").equals(before));
  }

  @Test
  void refusesImageWithoutTagAndDigest() {
    assertThatThrownBy(
            () ->
                hb.create("hb", RENEWED.replace("{tag: new}", "{}").replace("{tag: newer}", "{}")))
        .hasMessageContaining("image must have a tag or a digest");
  }

  /** ZooKeeper serves with its new image, the name node ends at its start. */
  private void declareNameNodeThatCannotStart() {
    hb.simulator().letBecomeReady(it -> !tag(it).equals(":newer"));
    hb.declare("hb", RENEWED);
    awaitTag("namenode", ":newer");
    KubeletReports.endTwice(hb.client(), pod("hb-namenode-0"), "Unexpected version of storage");
  }

  private static String closedWindow() {
    var day = LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek();
    return "{days: [%s], start: \"00:00\", duration: 1h, timeZone: UTC}"
        .formatted(day.getDisplayName(TextStyle.FULL, Locale.ENGLISH));
  }

  private void awaitTag(String component, String tag) {
    await(component + tag)
        .atMost(LONG)
        .untilAsserted(() -> assertThat(tags()).containsEntry(component, tag));
  }

  private void awaitProgressing(String text) {
    await("Progressing")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).contains(text)));
  }

  private List<Pod> pods() {
    return hb.client().pods().inNamespace(hb.name()).list().getItems();
  }

  private Pod pod(String name) {
    return hb.client().pods().inNamespace(hb.name()).withName(name).get();
  }

  private void delete(Pod pod) {
    hb.client().resource(pod).delete();
  }

  private Set<String> uids(String... components) {
    return pods().stream()
        .filter(it -> List.of(components).contains(component(it)))
        .map(it -> it.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  /** The tag of the pods of each role. */
  private Map<String, String> tags() {
    return pods().stream()
        .collect(
            Collectors.toMap(
                InfrastructureImagesIT::component,
                InfrastructureImagesIT::tag,
                (first, second) -> first.equals(second) ? first : first + second));
  }

  private static String tag(Pod pod) {
    return pod.getSpec().getContainers().get(0).getImage().replaceFirst("^[^:]*", "");
  }

  private static boolean isHBase(Pod pod) {
    return Labels.isRole(pod, Role.MASTER) || Labels.isRole(pod, Role.REGIONSERVER);
  }

  private static String component(Pod pod) {
    return pod.getMetadata().getLabels().get("app.kubernetes.io/component");
  }
}
