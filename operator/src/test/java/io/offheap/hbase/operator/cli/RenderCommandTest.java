package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The rendered files hold the plan. */
class RenderCommandTest {
  @TempDir private Path folder;
  private RenderedFolder rendered;

  @BeforeEach
  void makeFolder() {
    rendered = new RenderedFolder(folder);
  }

  @Test
  void siteFileHasPropertiesOfPlan() throws Exception {
    var cluster = rendered.cluster();

    rendered.render(cluster);

    assertThat(properties(rendered.conf("hbase-site.xml")))
        .containsExactlyEntriesOf(ClusterFile.read(cluster).plan().hbaseSite())
        .containsEntry("test.expression", "a < b && c > 'd'");
  }

  @Test
  void environmentHasOptionsInOrder() throws Exception {
    var cluster = rendered.cluster();

    rendered.render(cluster);

    var options = ClusterFile.read(cluster).plan().jvmOptions();
    assertThat(rendered.bash(". ./hbase-env.sh; printf '%s' \"$HBASE_REGIONSERVER_OPTS\""))
        .isEqualTo(String.join(" ", options));
    assertThat(Files.readAllLines(rendered.conf("jvm.options"))).isEqualTo(options);
  }

  @Test
  void environmentSourcedTwiceHasOptionsOnce() throws Exception {
    rendered.render(rendered.cluster());

    var once = rendered.bash(". ./hbase-env.sh; printf '%s' \"$HBASE_REGIONSERVER_OPTS\"");
    var twice =
        rendered.bash(
            "set -u; HBASE_REGIONSERVER_OPTS=-Dold=1; . ./hbase-env.sh; . ./hbase-env.sh;"
                + " printf '%s' \"$HBASE_REGIONSERVER_OPTS\"");

    assertThat(twice).isEqualTo("-Dold=1 " + once);
  }

  @Test
  void standardOutputEqualsFiles() throws Exception {
    var cluster = rendered.cluster();

    rendered.render(cluster);
    var text = CommandLineRun.of("render", cluster);
    var json =
        new ObjectMapper().readTree(CommandLineRun.of("render", cluster, "-o", "json").out());

    for (String name : List.of("hbase-site.xml", "jvm.options", "hbase-env.sh")) {
      var content = Files.readString(rendered.conf(name));
      assertThat(text.out()).contains("==> " + name + " <==\n" + content);
      assertThat(json.get("files").get(name).asText()).isEqualTo(content);
    }
  }

  @Test
  void refusesToOverwriteWithoutForce() throws Exception {
    var cluster = rendered.cluster();
    Files.createDirectories(rendered.conf("."));
    Files.writeString(rendered.conf("hbase-env.sh"), "export JAVA_HOME=/opt/java\n");

    var refused = CommandLineRun.of("render", cluster, "--out", rendered.conf(".").toString());

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .startsWith("--out is refused:\n")
        .contains("hbase-env.sh: exists; must not exist, or --force must be given");
    assertThat(rendered.conf("hbase-env.sh")).hasContent("export JAVA_HOME=/opt/java");
    assertThat(rendered.conf("hbase-site.xml")).doesNotExist();

    var forced =
        CommandLineRun.of("render", cluster, "--out", rendered.conf(".").toString(), "--force");

    assertThat(forced.status()).isZero();
    assertThat(rendered.conf("hbase-env.sh")).content().contains("HBASE_REGIONSERVER_OPTS");
  }

  @Test
  void refusesFileInPlaceOfFolder() throws Exception {
    var cluster = rendered.cluster();

    var run = CommandLineRun.of("render", cluster, "--out", cluster);
    var below = CommandLineRun.of("render", cluster, "--out", cluster + "/conf");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(cluster + ": is not a folder");
    assertThat(below.status()).isEqualTo(2);
    assertThat(below.err()).contains("cannot be written").doesNotContain("\tat ");
  }

  @Test
  void writesNothingForRefusedResource() throws Exception {
    var cluster =
        Files.writeString(
            folder.resolve("file.yaml"),
            RenderedFolder.CLUSTER.replace("heap: 256Mi", "heap: 1Mi"));

    var run =
        CommandLineRun.of("render", cluster.toString(), "--out", rendered.conf(".").toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(rendered.conf(".")).doesNotExist();
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
