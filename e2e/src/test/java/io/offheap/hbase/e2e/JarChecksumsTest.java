package io.offheap.hbase.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;

/**
 * The downloaded jars that are patched have the SHA-256 in {@code patches/checksums}, or the build
 * ends. The tests of the module {@code patches} start servers, so {@code make unit} leaves them out
 * and runs these.
 */
class JarChecksumsTest {
  private static final Path PATCHES = Shell.root().resolve("patches");
  private static final String JAR = "hbase-server.jar";

  /** Of {@code jar}. */
  private static final String SUM =
      "0163f1eea7894350060624d315234d40c508ab251ba121714e234503045faadd";

  /** Of {@code another jar}. */
  private static final String OTHER_SUM =
      "3f011924ce0c93de39082b3ee0c06e12ea68b31eeadeb135a5638ef232322058";

  @TempDir private Path folder;
  private Path stock;

  private record Run(int status, String output) {}

  @BeforeEach
  void makeFolder() throws Exception {
    Files.copy(
        PATCHES.resolve("build"), folder.resolve("build"), StandardCopyOption.COPY_ATTRIBUTES);
    stock = Files.createDirectories(folder.resolve("target/stock"));
    Files.writeString(stock.resolve(JAR), "jar");
  }

  private Run check(String checksums) throws Exception {
    Files.writeString(folder.resolve("checksums"), checksums);
    var process =
        new ProcessBuilder(folder.resolve("build").toString(), "check")
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  @Test
  void acceptsRightJar() throws Exception {
    assertThat(check("# of the jars\n" + SUM + "  " + JAR + "\n")).isEqualTo(new Run(0, ""));
    assertThat(stock.resolve(JAR)).exists();
  }

  @Test
  void refusesWrongChecksumNamingFileFoundAndExpected() throws Exception {
    Files.writeString(stock.resolve(JAR), "another jar");

    assertRefused(
        check(SUM + "  " + JAR + "\n"), JAR + ": SHA-256 " + OTHER_SUM + ", must be " + SUM);
  }

  @Test
  void refusesWrongChecksumOfSources() throws Exception {
    var sources = "hbase-server-sources.jar";
    Files.writeString(
        Files.createDirectories(folder.resolve("target/stock-sources")).resolve(sources),
        "another jar");

    assertRefused(
        check(SUM + "  " + JAR + "\n" + SUM + "  " + sources + "\n"),
        sources + ": SHA-256 " + OTHER_SUM + ", must be " + SUM);
    assertThat(folder.resolve("target/stock-sources")).doesNotExist();
  }

  @Test
  void refusesJarWithoutLine() throws Exception {
    assertRefused(check("# none\n"), JAR + " has no line in patches/checksums");
  }

  @Test
  void refusesLineWithoutJar() throws Exception {
    assertRefused(
        check(SUM + "  " + JAR + "\n" + SUM + "  hbase-client.jar\n"), "no jar hbase-client.jar");
  }

  private void assertRefused(Run run, String... messages) {
    assertThat(run.output()).contains(messages);
    assertThat(run.status()).isEqualTo(1);
    assertThat(stock).doesNotExist();
  }

  @Test
  void refusesMalformedLine() throws Exception {
    var run = check(SUM.substring(1) + "  " + JAR + "\n");

    assertThat(run.output()).contains("must be a SHA-256 and the file name of a jar");
    assertThat(run.status()).isEqualTo(1);
  }

  /** Maven runs a phase's executions in the order of the file. */
  @Test
  void checksBeforePatchesAreApplied() throws Exception {
    assertThat(argumentsIn("generate-sources")).startsWith("check").contains("${patches.tree}");
  }

  private static List<String> argumentsIn(String phase) throws Exception {
    var pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(PATCHES.resolve("pom.xml").toFile());
    var nodes =
        (NodeList)
            XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                    "/project/build/plugins/plugin/executions/execution[phase='"
                        + phase
                        + "']/configuration[executable='${project.basedir}/build']"
                        + "/arguments/argument",
                    pom,
                    XPathConstants.NODESET);
    var arguments = new ArrayList<String>();
    for (int i = 0; i < nodes.getLength(); i++) {
      arguments.add(nodes.item(i).getTextContent());
    }
    return arguments;
  }
}
