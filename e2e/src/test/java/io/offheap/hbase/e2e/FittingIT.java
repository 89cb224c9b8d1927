package io.offheap.hbase.e2e;

import static io.offheap.hbase.operator.render.Ports.DATANODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.MASTER_HTTP;
import static io.offheap.hbase.operator.render.Ports.NAMENODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.REGIONSERVER_HTTP;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.RolloutCluster.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What fits the demo into a cluster, on real nodes: pod templates of region servers and masters,
 * properties of each role, HBase's own pages, another image of ZooKeeper and HDFS, and the plugin's
 * commands that need running pods. The steps stand on each other, hence the order.
 *
 * <p>With a second data node, so that region servers can write while one of the two restarts.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class FittingIT {
  private static final int ROWS = 10_000;
  private static final String TABLE = "fitting";
  private static final String PAGES = "e2e/src/test/resources/fitting/pages.yaml";
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(8);
  private static final Duration RENEWED_WITHIN = Duration.ofMinutes(8);

  private static final String MASTER = "demo-master-0";
  private static final List<String> SERVERS = List.of("demo-regionserver-0", "demo-regionserver-1");
  private static final String ZOOKEEPER = "demo-zookeeper-0";
  private static final String NAME_NODE = "demo-namenode-0";
  private static final List<String> DATA_NODES = List.of("demo-datanode-1", "demo-datanode-0");

  /** ZooKeeper and HDFS in the order in which they restart. */
  private static final List<String> RENEWED =
      List.of(ZOOKEEPER, NAME_NODE, DATA_NODES.get(0), DATA_NODES.get(1));

  private static final String OTHER_TAG = "fitting-again";

  private static final String INIT_CONTAINER = "writer";
  private static final String SIDECAR = "reader";
  private static final String WRITTEN = "written by the init container";
  private static final String READ = "the sidecar has read: ";
  private static final String RESOURCES =
      """
      {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "64Mi"}}\
      """;

  /** A report leaves the value out for its name. */
  private static final String SECRET_PROPERTY = "hbase.fitting.password";

  private static final String SECRET = UUID.randomUUID().toString();

  private static Shell shell;
  private static Kubectl kubectl;
  private static DemoCluster demo;
  private static DemoWay way;
  private static RolloutCluster cluster;
  private static RolloutAssertions restarts;
  private static RequestingPod pages;
  private static Plugin plugin;
  private static String shellImage;
  private static boolean isFinished;

  @BeforeAll
  static void demoWithTwoDataNodes() {
    shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "default");
    demo = new DemoCluster(kubectl);
    way = new DemoWay(shell, ROWS, System.out);
    cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    restarts = new RolloutAssertions(kubectl, cluster);
    pages = new RequestingPod(kubectl, "fitting-pages");
    plugin = new Plugin(kubectl);

    demo.deleteWithVolumes();
    way.apply();
    // Each restart is to be the test's own, so nothing is tuned.
    demo.patch(
        """
        {"spec": {"tuning": {"mode": "Disabled"}, "storage": {"managed": {"dataNodes": 2}}}}
        """);
    kubectl.output("apply", "-f", PAGES);
    way.awaitReady();
    kubectl.output("wait", "--for=condition=Ready", "pod/" + pages.name(), "--timeout=120s");
    shellImage = kubectl.jsonPath("pod/" + pages.name(), "{.spec.containers[0].image}");
    assertThat(way.verify("write", ROWS, TABLE).path("rowsWritten").asInt()).isEqualTo(ROWS);
    await("the tables as the operator reads them")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              assertThat(kubectl.condition(DemoCluster.NAME, "TablesFit"))
                  .startsWith("True BlocksFit");
              assertAtRest();
            });
    assertThat(cluster.pods("datanode")).hasSize(2);
  }

  /** The volumes too: a later suite's cluster may not have fewer data nodes than there are. */
  @AfterAll
  static void leaveNoClusterAndNoVolumes() {
    if (plugin == null) {
      return;
    }
    if (!isFinished) {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "demo", "-o", "jsonpath={.status.conditions}{.status.rollout}");
      kubectl.show("get", "events", "--sort-by=.lastTimestamp");
      new OperatorReplicas(shell).showLogs();
    }
    kubectl.output("delete", "-f", PAGES, "--ignore-not-found", "--wait=false");
    kubectl.output("delete", "pod/demo-client", "--ignore-not-found", "--wait=false");
    demo.deleteWithVolumes();
  }

  @Test
  @Order(1)
  void podTemplateOfRegionServersReachesTheirContainers() {
    var before = cluster.pods("regionserver");
    assertThat(before).containsOnlyKeys(SERVERS);
    var masters = uids("master");
    var started = Instant.now();

    demo.patch(
        """
        {"spec": {"regionServers": {"podTemplate": %s, "config": {"%s": "%s"}}}}
        """
            .formatted(podTemplate("regionserver"), SECRET_PROPERTY, SECRET));

    restarts.assertRestartedOnce(rollOut("both region servers restarted", started), before);
    SERVERS.forEach(pod -> assertFitted(pod, "regionserver"));
    assertThat(uids("master")).as("masters").isEqualTo(masters);
    cluster.assertNoServerCrashed();
    assertRowsRight();
  }

  @Test
  @Order(2)
  void podTemplateAndPropertiesOfMastersReachTheirContainers() {
    var servers = uids("regionserver");
    var masters = uids("master");
    var started = Instant.now();

    demo.patch(
        """
        {"spec": {"masters": {
          "podTemplate": %s,
          "config": {"hbase.balancer.period": "240000", "%s": "%s"}}}}
        """
            .formatted(podTemplate("master"), SECRET_PROPERTY, SECRET));

    assertThat(rollOut("the master restarted", started)).as("region servers").isEmpty();
    assertThat(uids("regionserver")).as("region servers").isEqualTo(servers);
    assertThat(uids("master")).containsOnlyKeys(MASTER).isNotEqualTo(masters);
    assertFitted(MASTER, "master");
    assertThat(configuration(MASTER, MASTER_HTTP)).containsEntry("hbase.balancer.period", "240000");
    assertRowsRight();
  }

  /** By Services, from a pod with the declared label, where NetworkPolicies are enforced too. */
  @Test
  @Order(3)
  void pagesOfMasterAndRegionServersRespondAtTheirServices() {
    var ofMaster = "demo-master-pages";
    var ofServers = "demo-regionserver-pages";
    assertThat(kubectl.output("get", "services", "-o", "name")).doesNotContain(ofMaster, ofServers);
    var before = hbase();

    demo.patch(
        """
        {"spec": {"webPages": {
          "masters": true, "regionServers": true,
          "clients": [{"podLabels": {"app": "%s"}}]}}}
        """
            .formatted(pages.name()));

    await("region servers and the master restarted")
        .atMost(ROLLOUT_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              var now = hbase();
              assertThat(now).containsOnlyKeys(before.keySet());
              before.forEach((pod, uid) -> assertThat(now.get(pod)).as(pod).isNotEqualTo(uid));
              assertAtRest();
            });
    var active = RolloutCluster.podOf(cluster.state().path("activeMaster").asText());
    assertThat(active).isEqualTo(MASTER);
    awaitPage(ofMaster, MASTER_HTTP, "/master-status", active, TABLE);
    awaitPage(ofMaster, MASTER_HTTP, "/table.jsp?name=" + TABLE, "demo-regionserver-");
    awaitPage(ofServers, REGIONSERVER_HTTP, "/rs-status", "demo-regionserver-");
    cluster.assertNoServerCrashed();
    assertRowsRight();
  }

  /** The properties are the examples of the page about pod templates. */
  @Test
  @Order(4)
  void propertiesOfZooKeeperAndHdfsReachOnePodAfterTheOther() {
    renew(
        "properties of ZooKeeper and HDFS",
        """
        {"spec": {
          "zookeeper": {"managed": {"config": {"snapCount": "50000"}}},
          "storage": {"managed": {
            "nameNode": {"config": {"dfs.namenode.handler.count": "20"}},
            "dataNode": {"config": {"dfs.datanode.max.transfer.threads": "8192"}}}}}}
        """);

    // Its port does not have the configuration. The file is the last argument of the process.
    var file = "cat \"$(tr '\\0' '\\n' < /proc/1/cmdline | tail -n 1)\"";
    assertThat(kubectl.output("exec", ZOOKEEPER, "--", "bash", "-c", file).lines())
        .contains("snapCount=50000");
    assertThat(configuration(NAME_NODE, NAMENODE_HTTP))
        .containsEntry("dfs.namenode.handler.count", "20");
    assertThat(DATA_NODES)
        .allSatisfy(
            pod ->
                assertThat(configuration(pod, DATANODE_HTTP))
                    .containsEntry("dfs.datanode.max.transfer.threads", "8192"));
    assertRowsRight();
  }

  @Test
  @Order(5)
  void anotherImageReachesZooKeeperAndHdfsOnePodAfterTheOther() {
    var image = infrastructure().get(ZOOKEEPER).image();
    var other = image.substring(0, image.lastIndexOf(':') + 1) + OTHER_TAG;
    new Nodes(shell).tag(image, other);

    renew(
        "another image of ZooKeeper and HDFS",
        """
        {"spec": {
          "zookeeper": {"managed": {"image": {"tag": "%1$s"}}},
          "storage": {"managed": {"image": {"tag": "%1$s"}}}}}
        """
            .formatted(OTHER_TAG));

    assertThat(infrastructure().values()).extracting(Pod::image).containsOnly(other);
    assertThat(cluster.pods("regionserver").values()).extracting(Pod::image).containsOnly(image);
    assertThat(cluster.pods("master").values()).extracting(Pod::image).containsOnly(image);
    await("the image is kept")
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              var kept = cluster.resource().path("status").path("images");
              assertThat(kept.path("zookeeper").asText()).isEqualTo(other);
              assertThat(kept.path("hdfs").asText()).isEqualTo(other);
            });
    assertRowsRight();
  }

  @Test
  @Order(6)
  void statusTopAndAdminNameEachRegionServer() {
    var listed = plugin.output("admin", DemoCluster.NAME, "servers", "list");
    assertThat(listed).containsPattern("(?m)^" + MASTER + "\\..* master +active");

    // The page's newest values are of the last half minute.
    await("status and top")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(2))
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              var status = plugin.output("status", DemoCluster.NAME);
              assertThat(status).startsWith("default/demo  Ready  region servers 2/2");
              var top = plugin.output("top", DemoCluster.NAME);
              for (String pod : SERVERS) {
                assertThat(status).containsPattern("(?m)^" + pod + " +Serving +[0-9]+ ");
                assertThat(top).containsPattern("(?m)^" + pod + " .* [0-9]+$");
              }
            });
    for (String pod : SERVERS) {
      assertThat(listed).containsPattern("(?m)^" + pod + "\\..* regionserver +live +[0-9]+");
    }
  }

  @Test
  @Order(7)
  void reportHasThreadDumpsAndNoSecret(@TempDir Path folder) throws IOException {
    var archive = folder.resolve("report.tar.gz");

    plugin.output("report", DemoCluster.NAME, archive.toString());

    var files = unpacked(archive, Files.createDirectory(folder.resolve("unpacked")));
    System.out.printf(
        "report: %d files; incomplete: %s%n",
        files.size(), files.getOrDefault("incomplete.txt", "none"));
    for (String pod : SERVERS) {
      assertThat(files.get(pod + ".threads.txt"))
          .contains("Full thread dump", "org.apache.hadoop.hbase.regionserver.HRegionServer");
      assertThat(files.get(pod + ".metrics.json"))
          .contains("Hadoop:service=HBase,name=RegionServer");
      assertThat(files.get(pod + ".log")).contains(READ + WRITTEN);
    }
    assertThat(files.get(MASTER + ".threads.txt")).contains("Full thread dump");
    assertThat(files.get("status.txt")).contains(SERVERS);
    assertThat(files.get("hbasecluster.json"))
        .contains("\"" + SECRET_PROPERTY + "\" : \"left-out\"");
    assertThat(files.get("plan.txt")).contains(SECRET_PROPERTY);
    assertThat(files.keySet().stream().filter(it -> files.get(it).contains(SECRET)))
        .as("files with the secret")
        .isEmpty();
    isFinished = true;
  }

  /**
   * A volume, an init container that writes a line into it, a sidecar that reads the line, and a
   * variable and a mount of the planned container.
   */
  private static String podTemplate(String server) {
    return """
    {"spec": {
      "volumes": [{"name": "shared", "emptyDir": {"sizeLimit": "16Mi"}}],
      "initContainers": [{
        "name": "%2$s", "image": "%3$s", "resources": %4$s,
        "command": ["bash", "-c", "echo %5$s > /shared/line"],
        "volumeMounts": [{"name": "shared", "mountPath": "/shared"}]}],
      "containers": [
        {"name": "%1$s",
         "env": [{"name": "FITTED", "value": "by-the-template"}],
         "volumeMounts": [{"name": "shared", "mountPath": "/extra"}]},
        {"name": "%6$s", "image": "%3$s", "resources": %4$s,
         "command": ["bash", "-c",
           "trap 'exit 0' TERM; sed 's/^/%7$s/' /shared/line; sleep infinity & wait"],
         "volumeMounts": [{"name": "shared", "mountPath": "/shared", "readOnly": true}]}]}}
    """
        .formatted(server, INIT_CONTAINER, shellImage, RESOURCES, WRITTEN, SIDECAR, READ);
  }

  /** The pod runs with its template, and its server with the declared property. */
  private static void assertFitted(String pod, String server) {
    var status =
        RolloutCluster.parse(kubectl.output("get", "pod", pod, "-o", "json")).path("status");
    var sidecar = named(SIDECAR, status.path("containerStatuses"));
    assertThat(sidecar.path("ready").asBoolean()).as("sidecar of %s is ready", pod).isTrue();
    var exit = named(INIT_CONTAINER, status.path("initContainerStatuses"));
    assertThat(exit.at("/state/terminated/exitCode").asInt(-1))
        .as("exit status of the init container of %s", pod)
        .isZero();
    assertThat(kubectl.output("logs", pod, "-c", SIDECAR)).contains(READ + WRITTEN);
    assertThat(read(pod, server, "/extra/line")).contains(WRITTEN);
    assertThat(List.of(read(pod, server, "/proc/1/environ").split("\0", -1)))
        .as("environment of the process of %s", pod)
        .contains("FITTED=by-the-template");
    assertThat(read(pod, server, "/etc/hbase/conf/hbase-site.xml"))
        .contains("<name>" + SECRET_PROPERTY + "</name>", SECRET);
  }

  private static JsonNode named(String name, JsonNode statuses) {
    for (JsonNode status : statuses) {
      if (status.path("name").asText().equals(name)) {
        return status;
      }
    }
    throw new AssertionError("no container " + name + " in " + statuses);
  }

  private static String read(String pod, String container, String file) {
    return kubectl.output("exec", pod, "-c", container, "--", "cat", file);
  }

  private static Map<String, String> configuration(String pod, int port) {
    return new RequestingPod(kubectl, pod).configuration(port);
  }

  /** Requests a page by its Service until it responds with these texts. */
  private static void awaitPage(String service, int port, String path, String... texts) {
    await(path + " of " + service)
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofSeconds(1))
        // The Service or its pod is not known to each node yet.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              var response = pages.get(service, port, path);
              assertThat(response.lines().findFirst().orElse("")).contains(" 200 ");
              assertThat(response).contains(texts);
            });
  }

  private static List<RestartedServer> rollOut(String what, Instant started) {
    var restarted = cluster.awaitRollout(what, started, ROLLOUT_WITHIN, resource -> {});
    System.out.printf("%s:%n", what);
    restarted.forEach(System.out::println);
    return restarted;
  }

  /**
   * Makes a change of ZooKeeper and HDFS, and waits until each of their pods was replaced and
   * serves. Each was made after the one before it in the order was ready. Pods of HBase stay.
   */
  private static void renew(String what, String patch) {
    var before = infrastructure();
    assertThat(before).containsOnlyKeys(RENEWED);
    var hbase = hbase();
    var renewed = new HashMap<String, Pod>();

    demo.patch(patch);

    await(what)
        .atMost(RENEWED_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              for (Pod pod : infrastructure().values()) {
                if (pod.isReady() && !pod.uid().equals(before.get(pod.name()).uid())) {
                  // As it was seen first: a slow probe may fail once and make it ready anew.
                  renewed.putIfAbsent(pod.name(), pod);
                }
              }
              assertThat(renewed).containsOnlyKeys(RENEWED);
              assertAtRest();
            });
    for (int i = 1; i < RENEWED.size(); i++) {
      var earlier = renewed.get(RENEWED.get(i - 1));
      var later = renewed.get(RENEWED.get(i));
      System.out.printf(
          "%s: %s ready %s, %s made %s%n",
          what, earlier.name(), earlier.readySince().orElseThrow(), later.name(), later.created());
      assertThat(later.created())
          .as("%s is made when %s is ready", later.name(), earlier.name())
          .isAfterOrEqualTo(earlier.readySince().orElseThrow());
    }
    assertThat(hbase()).as("pods of HBase").isEqualTo(hbase);
  }

  /** All pods serve, and the operator has nothing to do for the present spec. */
  private static void assertAtRest() {
    var resource = cluster.resource();
    assertThat(resource.path("status").path("observedGeneration").asLong())
        .isEqualTo(resource.path("metadata").path("generation").asLong());
    assertThat(kubectl.condition(DemoCluster.NAME, "Ready")).startsWith("True AllServing");
    assertThat(kubectl.condition(DemoCluster.NAME, "Progressing")).startsWith("False Idle");
  }

  /** Pods of ZooKeeper and HDFS by name. */
  private static SortedMap<String, Pod> infrastructure() {
    var pods = new TreeMap<String, Pod>();
    for (String role : List.of("zookeeper", "namenode", "datanode")) {
      pods.putAll(cluster.pods(role));
    }
    return pods;
  }

  /** Uids of HBase's pods by name. */
  private static SortedMap<String, String> hbase() {
    var uids = new TreeMap<>(uids("master"));
    uids.putAll(uids("regionserver"));
    return uids;
  }

  private static Map<String, String> uids(String role) {
    return RolloutAssertions.uids(cluster.pods(role));
  }

  private static void assertRowsRight() {
    DemoCluster.assertRowsRight(ROWS, way.verify("read", ROWS, TABLE));
  }

  /** The texts of an archive's files, by path. */
  private static Map<String, String> unpacked(Path archive, Path folder) throws IOException {
    shell.output("tar", "-xzf", archive.toString(), "-C", folder.toString());
    var texts = new TreeMap<String, String>();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.put(folder.relativize(file).toString(), Files.readString(file, ISO_8859_1));
      }
    }
    return texts;
  }
}
