package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is shown of the end of a log, with logs as the JVM and HBase write them. */
class LogExcerptTest {
  private static final String TAGS = "[2.697s][info ][gc,metaspace,freelist,oom] ";

  /** With {@code -XX:MaxMetaspaceSize=20m}: the end of the log is full of the JVM's statistics. */
  @Test
  void statisticsOfTheMetaspaceHideNoError() {
    var statistics =
        TAGS
            + "num_chunk_splits: 607.\n"
            + TAGS
            + "num_chunks_enlarged: 514.\n"
            + TAGS
            + "num_inconsistent_stats: 0.\n"
            + TAGS
            + "\n";
    var error = "Terminating due to java.lang.OutOfMemoryError: Metaspace";

    assertThat(LogExcerpt.of(statistics + error + "\n")).isEqualTo(error);
    assertThat(LogExcerpt.of(error + "\n" + statistics.repeat(10))).isEqualTo(error);
    assertThat(LogExcerpt.of("[2026-11-26T13:56:07.944+0000]" + statistics + error))
        .as("with more decorations")
        .isEqualTo(error);
  }

  @Test
  void statisticsAreShownIfThereIsNothingElse() {
    assertThat(LogExcerpt.of(TAGS + "MaxMetaspaceSize: 20.00 MB\n" + TAGS + "\n"))
        .isEqualTo((TAGS + "MaxMetaspaceSize: 20.00 MB | " + TAGS).strip());
  }

  /** The first line has the cause, and names no error. */
  @Test
  void linesBeforeTheErrorsFillUp() {
    var lines =
        """
        Improperly specified VM option 'MaxMetaspaceSize=20x'
        Error: Could not create the Java Virtual Machine.
        Error: A fatal exception has occurred. Program will exit.
        """;

    assertThat(LogExcerpt.of(lines)).isEqualTo(lines.strip().replace("\n", " | "));
  }

  @Test
  void framesOfStackTracesHideNoCause() {
    var log =
        """
        2026-11-26T13:56:05,100 INFO  [main] util.VersionInfo: HBase 2.0.0
        2026-11-26T13:56:06,900 WARN  [main] ipc.Client: retries get failed due to exceeded maximum
        2026-11-26T13:56:07,900 ERROR [main] regionserver.HRegionServer: Failed construction
        java.lang.RuntimeException: Failed construction of RegionServer
        \tat org.apache.hadoop.hbase.HBaseServerBase.<init>(HBaseServerBase.java:266)
        \tat java.base/jdk.internal.reflect.ConstructorAccessorException.of(Unknown Source)
        Caused by: java.lang.ClassNotFoundException: org.example.Missing
        \tat java.base/java.lang.Class.forName0(Native Method)
        \t... 12 more
        2026-11-26T13:56:07,950 INFO  [shutdown] regionserver.HRegionServer: stopped
        """;

    assertThat(LogExcerpt.of(log).split(" \\| "))
        .containsExactly(
            "2026-11-26T13:56:06,900 WARN  [main] ipc.Client: retries get failed due to exceeded"
                + " maximum",
            "2026-11-26T13:56:07,900 ERROR [main] regionserver.HRegionServer: Failed construction",
            "java.lang.RuntimeException: Failed construction of RegionServer",
            "Caused by: java.lang.ClassNotFoundException: org.example.Missing",
            "2026-11-26T13:56:07,950 INFO  [shutdown] regionserver.HRegionServer: stopped");
  }

  @Test
  void errorsComeBeforeLaterLines() {
    var later =
        IntStream.range(0, 70).mapToObj(it -> "line " + it).collect(Collectors.joining("\n"));

    assertThat(LogExcerpt.of("# SIGSEGV (0xb) at pc=0x7f\n" + later))
        .isEqualTo("# SIGSEGV (0xb) at pc=0x7f | line 66 | line 67 | line 68 | line 69");
  }

  @Test
  void ofManyErrorsTheLastAreShown() {
    var errors =
        IntStream.range(0, 9).mapToObj(it -> "ERROR " + it).collect(Collectors.joining("\n"));

    assertThat(LogExcerpt.of(errors + "\nlast"))
        .isEqualTo("ERROR 4 | ERROR 5 | ERROR 6 | ERROR 7 | ERROR 8");
  }

  /** Each line keeps its beginning, which has the kind of error. */
  @Test
  void longLinesAreCut() {
    var log = ("java.io.IOException: " + "x".repeat(400) + "\n").repeat(6);

    var text = LogExcerpt.of(log);

    assertThat(text.split(" \\| "))
        .hasSize(5)
        .allMatch(it -> it.startsWith("java.io.IOException: x") && it.endsWith("x..."));
    assertThat(text).hasSizeLessThan(640);
  }

  @Test
  void emptyLogHasNoLine() {
    assertThat(LogExcerpt.of(" \n\t\n")).isEmpty();
  }
}
