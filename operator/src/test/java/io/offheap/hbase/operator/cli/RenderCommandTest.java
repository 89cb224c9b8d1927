package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The rendered files hold the plan, and a JVM starts with them the way {@code bin/hbase} does. */
class RenderCommandTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final String CLUSTER =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: test}
      spec:
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/hbase"}}
        regionServers:
          memory: {heap: 256Mi, offHeap: 256Mi}
          config: {test.expression: "a < b && c > 'd'"}
          jvmOptions: ['-Dtest.price="$5`\\\\', '-Dtest.star=/*']
      """;

  @TempDir private Path folder;

  @Test
  void theSiteFileHasThePropertiesOfThePlan() throws Exception {
    var cluster = cluster();

    render(cluster);

    assertThat(properties(conf("hbase-site.xml")))
        .containsExactlyEntriesOf(ClusterFile.read(cluster).plan().hbaseSite())
        .containsEntry("test.expression", "a < b && c > 'd'");
  }

  @Test
  void theEnvironmentHasTheOptionsInTheirOrder() throws Exception {
    var cluster = cluster();

    render(cluster);

    var options = ClusterFile.read(cluster).plan().jvmOptions();
    assertThat(bash(". ./hbase-env.sh; printf '%s' \"$HBASE_REGIONSERVER_OPTS\""))
        .isEqualTo(String.join(" ", options));
    assertThat(Files.readAllLines(conf("jvm.options"))).isEqualTo(options);
  }

  @Test
  void aJvmStartsWithTheEnvironment() throws Exception {
    render(cluster());

    var flags =
        bash(
            // HEAP_SETTINGS, then HBASE_OPTS with the region server's behind: as in bin/hbase 2.6.
            ". ./hbase-env.sh; HEAP_SETTINGS='-Xmx1g -XX:MaxDirectMemorySize=1g';"
                + " HBASE_OPTS=\"-XX:+UseG1GC $HBASE_REGIONSERVER_OPTS\"; "
                + JAVA
                + " $HEAP_SETTINGS $HBASE_OPTS -XX:+PrintFlagsFinal -version");

    assertThat(flags)
        .containsPattern("MaxHeapSize += " + 256 * 1024 * 1024 + " ")
        .containsPattern("MaxDirectMemorySize += " + 256 * 1024 * 1024 + " ")
        .containsPattern("G1NewSizePercent += 2 ");
  }

  @Test
  void aJvmStartsWithTheEnvironmentAlone() throws Exception {
    render(cluster());

    bash(". ./hbase-env.sh; " + JAVA + " $HBASE_REGIONSERVER_OPTS -version");
  }

  @Test
  void readTwiceTheEnvironmentHasTheOptionsOnceAndKeepsWhatWasThere() throws Exception {
    render(cluster());

    var once = bash(". ./hbase-env.sh; printf '%s' \"$HBASE_REGIONSERVER_OPTS\"");
    var twice =
        bash(
            "set -u; HBASE_REGIONSERVER_OPTS=-Dold=1; . ./hbase-env.sh; . ./hbase-env.sh;"
                + " printf '%s' \"$HBASE_REGIONSERVER_OPTS\"");

    assertThat(twice).isEqualTo("-Dold=1 " + once);
  }

  @Test
  void standardOutputHasWhatTheFilesHave() throws Exception {
    var cluster = cluster();

    render(cluster);
    var text = CommandLineRun.of("render", cluster);
    var json =
        new ObjectMapper().readTree(CommandLineRun.of("render", cluster, "-o", "json").out());

    for (String name : List.of("hbase-site.xml", "jvm.options", "hbase-env.sh")) {
      var content = Files.readString(conf(name));
      assertThat(text.out()).contains("==> " + name + " <==\n" + content);
      assertThat(json.get("files").get(name).asText()).isEqualTo(content);
    }
  }

  @Test
  void noFileIsWrittenOverUnlessForced() throws Exception {
    var cluster = cluster();
    Files.createDirectories(conf("."));
    Files.writeString(conf("hbase-env.sh"), "export JAVA_HOME=/opt/java\n");

    var refused = CommandLineRun.of("render", cluster, "--out", conf(".").toString());

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .startsWith("--out is refused:\n")
        .contains("hbase-env.sh: is there already; --force overwrites");
    assertThat(conf("hbase-env.sh")).hasContent("export JAVA_HOME=/opt/java");
    assertThat(conf("hbase-site.xml")).doesNotExist();

    var forced = CommandLineRun.of("render", cluster, "--out", conf(".").toString(), "--force");

    assertThat(forced.status()).isZero();
    assertThat(conf("hbase-env.sh")).content().contains("HBASE_REGIONSERVER_OPTS");
  }

  @Test
  void aFileIsNoFolder() throws Exception {
    var cluster = cluster();

    var run = CommandLineRun.of("render", cluster, "--out", cluster);
    var below = CommandLineRun.of("render", cluster, "--out", cluster + "/conf");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(cluster + ": is not a folder");
    assertThat(below.status()).isEqualTo(2);
    assertThat(below.err()).contains("cannot be written").doesNotContain("\tat ");
  }

  @Test
  void aRefusedResourceWritesNothing() throws Exception {
    var cluster =
        Files.writeString(folder.resolve("file.yaml"), CLUSTER.replace("heap: 256Mi", "heap: 1Mi"));

    var run = CommandLineRun.of("render", cluster.toString(), "--out", conf(".").toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(conf(".")).doesNotExist();
  }

  private String cluster() throws IOException {
    return Files.writeString(folder.resolve("file.yaml"), CLUSTER).toString();
  }

  private void render(String cluster) {
    var run = CommandLineRun.of("render", cluster, "--out", conf(".").toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
  }

  private Path conf(String name) {
    return folder.resolve("conf").resolve(name).normalize();
  }

  private String bash(String script) throws IOException, InterruptedException {
    var builder = new ProcessBuilder("bash", "-c", script).directory(conf(".").toFile());
    builder.environment().remove("HBASE_REGIONSERVER_OPTS");
    var process = builder.redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static Map<String, String> properties(Path file) throws Exception {
    var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    var elements = document.getElementsByTagName("property");
    var properties = new LinkedHashMap<String, String>();
    for (int i = 0; i < elements.getLength(); i++) {
      var property = (Element) elements.item(i);
      properties.put(text(property, "name"), text(property, "value"));
    }
    return properties;
  }

  private static String text(Element property, String name) {
    return property.getElementsByTagName(name).item(0).getTextContent();
  }
}
