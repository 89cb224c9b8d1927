package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kubectl hbc}: the script, the real kubectl, a real API server. Its commands that read a
 * resource, and what it refuses.
 */
@ExtendWith(ApiServer.class)
class PluginIT {
  private KubernetesClient client;
  private Plugin plugin;
  private String namespace;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Plugin.of(server, namespace);
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  private Tool.Result hbc(String... arguments) throws IOException {
    return plugin.run(arguments);
  }

  private HBaseCluster cluster() {
    return client.resources(HBaseCluster.class).inNamespace(namespace).withName("hb").get();
  }

  @Test
  void showsStatusAndPlan() throws IOException {
    assertThat(hbc("status", "hb").orThrow())
        .startsWith(namespace + "/hb  not ready")
        .contains("none: no operator has read this resource");
    assertThat(hbc("status", "hb", "-o", "json").orThrow()).contains("\"name\" : \"hb\"");
    assertThat(hbc("plan", "hb").orThrow()).contains("hbase.bucketcache.size", "= container");
    assertThat(hbc("explain", "Xmx", "hb").orThrow()).contains("what would change it");
    var more = hbc("what-if", "hb", "--set", "spec.regionServers.handlers=60");
    assertThat(more.status()).isEqualTo(1);
    assertThat(more.output()).contains("hbase.regionserver.handler.count");
  }

  @Test
  void comparesPlanWithThatOfFile(@TempDir Path folder) throws IOException {
    var same = Files.writeString(folder.resolve("same.json"), Serialization.asJson(cluster()));
    client
        .resource(cluster())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\":{\"regionServers\":{\"handlers\":60}}}");

    assertThat(hbc("diff", "hb", same.toString()))
        .satisfies(it -> assertThat(it.status()).isEqualTo(1))
        .satisfies(
            it -> assertThat(it.output()).contains("hbase.regionserver.handler.count", "60"));
    assertThat(hbc("diff", "hb").errors()).contains("FILE '' must be a file that can be read");
  }

  @Test
  void showsTuningAsATable() throws IOException {
    assertThat(hbc("tuning", "hb").orThrow()).startsWith("tuning has done nothing here");
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status":{"tuning":{"groups":[{"name":"","message":"watches","trials":1,
            "values":[{"key":"a.b","value":"6","rule":"PoolTooSmall"}]}]}}}
            """);

    var table = hbc("tuning", "hb").orThrow();

    assertThat(table)
        .startsWith("group default: watches\nchanges tried: 1, ")
        .contains("TUNED VALUE  SET TO  RULE\na.b          6       PoolTooSmall\n");
    assertThat(hbc("tuning", "hb", "show").orThrow()).isEqualTo(table);
    assertThat(hbc("tuning", "hb", "-o", "json").orThrow()).contains("\"key\" : \"a.b\"");
    assertThat(hbc("tuning", "hb", "show", "-o", "json").orThrow()).contains("\"value\" : \"6\"");
  }

  /** A plan starts soon only where its own classes are archived, and not the argument parser's. */
  @Test
  void archiveHasTheClassesOfThePlanner() throws IOException {
    hbc("plan", "hb").orThrow();

    var jar = Path.of("target", "hbase-offheap-operator.jar");
    var cache =
        Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
            .orElse(System.getProperty("user.home") + "/.cache");
    var archive =
        Path.of(cache, "hbase-offheap", "plugin")
            .resolve(
                "classes-%d-%d.jsa"
                    .formatted(
                        Files.getLastModifiedTime(jar).to(TimeUnit.SECONDS), Files.size(jar)));
    assertThat(new String(Files.readAllBytes(archive), ISO_8859_1))
        .contains("io/offheap/hbase/operator/plan/MemoryPlanner");
  }

  @Test
  void refusesInvalidCommandsWithoutChange() throws IOException {
    var before = cluster().getMetadata().getResourceVersion();

    assertThat(hbc("rollback", "hb", "--yes").errors()).contains("hb has no status.lastGood");
    assertThat(hbc("restart", "hb", "other-regionserver-0").errors()).contains("not found");
    assertThat(hbc("pause").errors()).contains("NAME of an HBaseCluster is missing");
    assertThat(hbc("purge", "hb").errors()).contains("'purge' must be one of status, plan");
    assertThat(hbc("status", "missing").status()).isNotZero();
    assertThat(hbc("tuning", "hb", "forget").errors())
        .contains("'forget' must be show, approve or dismiss");
    assertThat(hbc("completion", "fish").errors()).contains("'fish' must be bash or zsh");
    assertThat(hbc("top", "hb", "--port", "x").errors()).contains("--port 'x' must be a number");

    assertThat(cluster().getMetadata().getResourceVersion()).isEqualTo(before);
  }
}
