package io.offheap.hbase.patches;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published jars are those of {@code patches/checksums}, or the build ends. */
class ChecksumsTest {
  private static final String JAR = "hbase-server.jar";

  /** Of {@code jar}. */
  private static final String SUM =
      "0163f1eea7894350060624d315234d40c508ab251ba121714e234503045faadd";

  @TempDir Path folder;

  private Path stock;

  private record Run(int status, String output) {}

  @BeforeEach
  void makeFolder() throws Exception {
    Files.copy(Path.of("build"), folder.resolve("build"), StandardCopyOption.COPY_ATTRIBUTES);
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
  void rightJarIsAccepted() throws Exception {
    assertThat(check("# of the jars\n" + SUM + "  " + JAR + "\n")).isEqualTo(new Run(0, ""));
    assertThat(stock.resolve(JAR)).exists();
  }

  @Test
  void otherJarOfTheNameIsRefusedAndRemoved() throws Exception {
    Files.writeString(stock.resolve(JAR), "another jar");

    assertRefused(check(SUM + "  " + JAR + "\n"), JAR + ": SHA-256 ", "must be " + SUM);
  }

  @Test
  void jarWithoutLineIsRefused() throws Exception {
    assertRefused(check("# none\n"), JAR + " has no line in patches/checksums");
  }

  @Test
  void lineWithoutJarIsRefused() throws Exception {
    assertRefused(
        check(SUM + "  " + JAR + "\n" + SUM + "  hbase-client.jar\n"), "no jar hbase-client.jar");
  }

  private void assertRefused(Run run, String... messages) {
    assertThat(run.output()).contains(messages);
    assertThat(run.status()).isEqualTo(1);
    assertThat(stock).doesNotExist();
  }

  @Test
  void malformedLineIsRefused() throws Exception {
    var run = check(SUM.substring(1) + "  " + JAR + "\n");

    assertThat(run.output()).contains("must be a SHA-256 and the file name of a jar");
    assertThat(run.status()).isEqualTo(1);
  }
}
