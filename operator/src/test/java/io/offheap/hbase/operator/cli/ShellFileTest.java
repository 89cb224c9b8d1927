package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A script is evaluated as a shell does, or reported as not understood. */
class ShellFileTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export HBASE_OPTS=-Xss1m",
        "export HBASE_OPTS=\"$HBASE_OPTS -Xss1m\"; HBASE_OPTS=\"$HBASE_OPTS -Xms1g\"",
        "HBASE_OPTS='-Da.b=$x -Xss1m' # -Xss2m",
        "HBASE_OPTS=\"-Da.b=\\\"c\\\" \\\n  -Dd.e=f\\\\g\" # more \nexport HBASE_OPTS",
        "A=-Xss1m B=-Xms1g\nHBASE_OPTS=\"${A} $B\"",
        "HBASE_OPTS+=-Xss1m\nHBASE_OPTS+=\" -Xms1g\"",
        "HBASE_OPTS=${HBASE_OPTS:--Xss1m}",
        "HBASE_OPTS=\"${HBASE_OPTS:+$HBASE_OPTS }-Xss1m\"",
        "HBASE_OPTS=-Xss1m; unset HBASE_OPTS",
        "HBASE_REGIONSERVER_OPTS=-Xss1m\nHBASE_OPTS=-Xss2m\nSERVER_GC_OPTS=-Xss3m",
        "HBASE_OPTS=-Da=1\\ 2",
        "HBASE_HEAPSIZE=1000\nHBASE_OFFHEAPSIZE=2G\nHBASE_OPTS=-Xmx3g",
        "# a comment \\\nHBASE_OPTS=-Xss1m",
      })
  void expandsAsShellDoes(String script) throws Exception {
    var file = new ShellFile();

    file.read("hbase-env.sh", script + "\n");

    assertThat(file.unclear()).isEmpty();
    assertThat(file.options().stream().map(PlacedValue::value))
        .containsExactlyElementsOf(bash(script));
  }

  private Iterable<String> bash(String script) throws Exception {
    Files.writeString(folder.resolve("hbase-env.sh"), script + "\n");
    // As bin/hbase 2.6 combines a region server's options.
    var rest =
        """
        m() { case $1 in *[mMgG]) echo $1 ;; *) echo ${1}m ;; esac; }
        . ./hbase-env.sh
        set -f
        for option in ${HBASE_HEAPSIZE:+-Xmx$(m $HBASE_HEAPSIZE)} \\
          ${HBASE_OFFHEAPSIZE:+-XX:MaxDirectMemorySize=$(m $HBASE_OFFHEAPSIZE)} \\
          $HBASE_OPTS $SERVER_GC_OPTS $HBASE_REGIONSERVER_OPTS; do printf '%s\\n' "$option"; done
        """;
    var builder = new ProcessBuilder("bash", "-c", rest).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HBASE_"));
    var process = builder.redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "if true; then HBASE_OPTS=-Xss1m; fi | is set under a condition",
        "[ -n x ] && export HBASE_OPTS=-Xss1m | is set under a condition",
        "case x in y) HBASE_HEAPSIZE=1 ;; esac | is set under a condition",
        "f() { HBASE_OPTS=-Xss1m; } | is set under a condition",
        ". ./other.sh | is another script, which is not read",
        "source /etc/default/hbase | is another script, which is not read",
      })
  void reportsUnevaluatedStatements(String script, String why) {
    var file = new ShellFile();

    file.read("hbase-env.sh", "\n" + script + "\n");

    assertThat(file.options()).isEmpty();
    assertThat(file.unclear())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.place()).isEqualTo("hbase-env.sh line 2");
              assertThat(it.message()).contains(why);
            });
  }

  @Test
  void keepsUnevaluatedPartInOnePiece() {
    var file = new ShellFile();

    file.read(
        "hbase-env.sh",
        "HBASE_OPTS=\"-Xss1m -XX:ParallelGCThreads=$(grep -c cpu /proc/cpuinfo) $JMX `a b`\"\n");

    var line = new JvmLine(file.options());
    assertThat(line.options()).containsOnlyKeys("Xss");
    assertThat(line.unknown())
        .containsOnlyKeys("ParallelGCThreads", "${JMX}", "`a" + ShellWord.KEPT_BLANK + "b`");
    assertThat(line.unknown().get("ParallelGCThreads").value())
        .isEqualTo("-XX:ParallelGCThreads=$(grep -c cpu /proc/cpuinfo)");
  }
}
