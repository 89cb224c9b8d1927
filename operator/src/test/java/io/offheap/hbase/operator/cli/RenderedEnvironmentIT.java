package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM starts with the rendered environment, as from {@code bin/hbase}. */
class RenderedEnvironmentIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @TempDir private Path folder;
  private RenderedFolder rendered;

  @BeforeEach
  void render() throws Exception {
    rendered = new RenderedFolder(folder);
    rendered.render(rendered.cluster());
  }

  @Test
  void jvmStartsWithEnvironment() throws Exception {
    var flags =
        rendered.bash(
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
  void jvmStartsWithEnvironmentOnly() throws Exception {
    rendered.bash(". ./hbase-env.sh; " + JAVA + " $HBASE_REGIONSERVER_OPTS -version");
  }
}
