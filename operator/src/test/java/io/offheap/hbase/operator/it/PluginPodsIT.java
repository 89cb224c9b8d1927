package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.Labels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl hbc report} and {@code admin}, which read logs and run commands in pods. */
@ExtendWith(ApiServer.class)
class PluginPodsIT {
  private KubernetesClient client;
  private Plugin plugin;
  private Tool bash;
  private String namespace;
  private Path calls;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Plugin.of(server, namespace).with(folder);
    bash = Tool.script(Path.of("/bin/bash"), server).with(folder);
    calls = folder.resolve("calls");
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  private Tool.Result hbc(String... arguments) throws IOException {
    return plugin.run(arguments);
  }

  /** The texts of a report by their paths. */
  private Map<String, String> report(String... arguments) throws Exception {
    var file = folder.resolve("report.tar.gz");
    var all = new ArrayList<>(List.of("report", "hb", file.toString()));
    all.addAll(List.of(arguments));
    hbc(all.toArray(new String[0])).orThrow();
    var unpacked = Files.createDirectory(folder.resolve("unpacked"));
    var tar = new ProcessBuilder("tar", "-xzf", file.toString(), "-C", unpacked.toString()).start();
    assertThat(tar.waitFor()).isZero();
    try (var files = Files.walk(unpacked)) {
      return files
          .filter(Files::isRegularFile)
          .collect(Collectors.toMap(it -> unpacked.relativize(it).toString(), PluginPodsIT::text));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void reportHasMetricsAndTheOperator() throws Exception {
    PodsKubectl.create(client, namespace, "hb", "regionserver", "hb-regionserver-0");
    PodsKubectl.create(client, namespace, "hb", "master", "hb-master-0");
    ForwardingKubectl.createOperatorPods(client, namespace, "operator-a");
    declareSecret();
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName("operator")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("operator-a_1f2e")
                .endSpec()
                .build())
        .create();
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("other")
                .withNamespace(namespace)
                .endMetadata()
                .addToStringData("key", "hunter2")
                .build())
        .create();
    var jmx = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    jmx.createContext(
        "/jmx",
        exchange -> {
          try (exchange) {
            var body =
                ("{\"query\": \"" + exchange.getRequestURI().getQuery() + "\"}\n").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    jmx.start();
    try {
      PodsKubectl.write(folder, jmx.getAddress().getPort(), calls);

      var files = report("--operator-namespace", namespace);

      assertThat(files.get("hb-regionserver-0.metrics.json"))
          .startsWith("{\"query\": \"qry=Hadoop:*\"}\n")
          .contains("qry=java.lang:type=GarbageCollector,*")
          .doesNotContain("HTTP/1", "Runtime");
      assertThat(files)
          .doesNotContainKey("hb-master-0.metrics.json")
          .doesNotContainKey("incomplete.txt")
          .containsEntry("hb-master-0.threads.txt", "Full thread dump\n")
          .containsEntry("hb-master-0.log", "log of hb-master-0 with password=left-out\n");
      var operator = "operator/" + namespace + "-operator-a";
      assertThat(files.get(operator + ".log")).contains("log of operator-a");
      assertThat(files.get("operator/pods.json")).contains("\"name\" : \"operator-a\"");
      assertThat(files.get("operator/" + namespace + "-leases.yaml")).contains("operator-a_1f2e");
      assertThat(files.get("objects.json"))
          .contains("\"name\" : \"DB_PASSWORD\"", "\"value\" : \"left-out\"");
      assertThat(files.get("plan.txt")).contains("hbase.x.password");
      assertThat(files.get("status.txt")).contains("/hb ");
      assertThat(files.get("hbasecluster.json")).contains("\"hbase.x.password\" : \"left-out\"");
      assertThat(files).containsKeys("events.txt", "version.txt", "hb-master-0.previous.log");
      assertThat(files.values())
          .noneMatch(it -> it.contains("hunter2") || it.contains("ter 3") || it.contains("&x"));
    } finally {
      jmx.stop(0);
    }
  }

  /** A property that is none of the plan's, and so is in the plan as it is declared. */
  private void declareSecret() {
    var resource = client.resources(HBaseCluster.class).inNamespace(namespace).withName("hb");
    var merge = PatchContext.of(PatchType.JSON_MERGE);
    resource.patch(
        merge,
        "{\"spec\":{\"regionServers\":{\"config\":{\"hbase.x.password\":\"hun,ter 3&x\"}}}}");
    var values =
        "{\\\"settings\\\":[[\\\"hbase-site\\\",\\\"hbase.x.password\\\",\\\"hun,ter 3&x\\\"]]}";
    resource
        .subresource("status")
        .patch(merge, "{\"status\":{\"memoryPlan\":{\"values\":\"%s\"}}}".formatted(values));
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("hb-plan")
                .withNamespace(namespace)
                .withLabels(
                    Map.of(Labels.INSTANCE, "hb", Labels.MANAGED_BY, "hbase-offheap-operator"))
                .endMetadata()
                .addToData(
                    "plan.yaml",
                    "- key: hbase.x.password\n  value: hun,ter 3&x\n  typedValue: hun,ter 3&x\n")
                .build())
        .create();
  }

  /** A pod that is lost, metrics that no server responds with, a log without an end. */
  @Test
  void reportIsMadeOfWhatCanBeRead() throws Exception {
    PodsKubectl.create(client, namespace, "hb", "regionserver", "hb-regionserver-lost");
    PodsKubectl.create(client, namespace, "hb", "zookeeper", "hb-zookeeper-large");
    int closed;
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    PodsKubectl.write(folder, closed, calls);

    var files = report("--operator-namespace", namespace);

    assertThat(files.get("hb-regionserver-lost.log")).contains("pod is lost");
    assertThat(files.get("hb-zookeeper-large.log"))
        .hasSizeBetween(4 << 20, (4 << 20) + 10)
        .endsWith("x token=left-out\n");
    assertThat(files.get("incomplete.txt").lines())
        .contains(
            "hb-regionserver-lost.log: the request failed or took over 60 s",
            "hb-regionserver-lost.metrics.json: the request failed or took over 60 s",
            "hb-zookeeper-large.log: its last 4 MiB");
    assertThat(files.get("hbasecluster.json")).contains("\"name\" : \"hb\"");
  }

  @Test
  void reportLeavesExistingFile() throws IOException {
    var file = Files.writeString(folder.resolve("earlier.tar.gz"), "evidence");

    assertThat(hbc("report", "hb", file.toString()).errors()).contains("exists already");
    assertThat(hbc("report", "hb", folder.resolve("none/a").toString()).errors())
        .contains("must be in a folder that can be written");
    assertThat(hbc("report", "hb", "--all").errors()).contains("must be --operator-namespace");

    assertThat(file).hasContent("evidence");
  }

  @Test
  void adminRunsInTheMasterThatIsGiven() throws IOException {
    PodsKubectl.write(folder, 1, calls);

    var first = hbc("admin", "hb", "servers", "list");
    hbc("admin", "hb", "--pod", "hb-master-1", "servers", "list");
    hbc("admin", "hb", "--pod", "hb-namenode-0", "hdfs", "report");
    // HBase's namespace, which is another thing than Kubernetes'.
    hbc("admin", "hb", "tables", "list", "--namespace", "prod", "-n", "x");
    hbc(
        "admin",
        "-n",
        namespace,
        "hb",
        "--pod",
        "hb-master-1",
        "tables",
        "list",
        "--namespace=prod");

    assertThat(first.status()).isEqualTo(1);
    assertThat(first.errors())
        .contains("admin: pod hb-master-0 is not ready; --pod POD selects another one");
    var exec = "--namespace " + namespace + " exec ";
    assertThat(Files.readAllLines(calls))
        .containsExactly(
            exec + "hb-master-0 -c master -- entrypoint admin servers list",
            exec + "hb-master-1 -c master -- entrypoint admin servers list",
            exec + "hb-namenode-0 -c namenode -- entrypoint admin hdfs report",
            exec + "hb-master-0 -c master -- entrypoint admin tables list --namespace prod -n x",
            exec.replace("exec", "-n " + namespace + " exec")
                + "hb-master-1 -c master -- entrypoint admin tables list --namespace=prod");
    for (var other : List.of("hb-regionserver-0", "hb-b-master-0", "other")) {
      assertThat(hbc("admin", "hb", "--pod", other, "servers", "list").errors())
          .contains("--pod '" + other + "' must be a master or the name node of hb");
    }
  }

  /** Else Ctrl-C would end kubectl and leave the tool running in the pod. */
  @Test
  void adminGetsATerminalFromATerminal() throws IOException {
    PodsKubectl.write(folder, 1, calls);

    bash.run(
        "-c",
        "script -qec \"'%s' -n %s admin hb scan t\" /dev/null"
            .formatted(Plugin.SCRIPT.toAbsolutePath(), namespace));

    assertThat(Files.readString(calls))
        .endsWith(" exec -it hb-master-0 -c master -- entrypoint admin scan t\n");
  }
}
