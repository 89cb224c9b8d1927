package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The pod of {@code examples/client.yaml}, which has HBase's client and its configuration. */
record ClientPod(Kubectl kubectl, String name) {

  void awaitReady() {
    kubectl.output("wait", "--for=condition=Ready", "pod/" + name, "--timeout=120s");
  }

  /**
   * The last line that a command of the load generator's image prints.
   *
   * @throws IllegalStateException if it fails or prints nothing
   */
  JsonNode report(String... command) {
    var arguments = new ArrayList<>(List.of("exec", name, "--", "loadgen"));
    arguments.addAll(List.of(command));
    var lines = kubectl.output(arguments.toArray(String[]::new)).strip().lines().toList();
    if (lines.isEmpty()) {
      throw new IllegalStateException("the client printed nothing");
    }
    return RolloutCluster.parse(lines.get(lines.size() - 1));
  }

  /** Writes or reads rows of a table that stays, and finds none wrong or missing. */
  void verify(String what, String table, int rows, int valueBytes) {
    var report =
        report(
            "verify",
            what,
            "--rows=" + rows,
            "--value-size=" + valueBytes,
            "--table=" + table,
            "--keep");
    assertThat(report.path("wrong").asInt(-1)).isZero();
    assertThat(report.path("missing").asInt(-1)).isZero();
  }

  /** Puts a file of this machine into the pod. */
  void copy(String file, String to) {
    kubectl.output("cp", file, name + ":" + to);
  }

  /** Runs a class of HBase's own or of a jar in the pod. */
  void java(String jar, String command) {
    var java =
        "java @/opt/hbase/conf/jvm-base.options -cp \""
            + jar
            + ":/etc/hbase/conf:/opt/hbase/hadoop/patched/*:/opt/hbase/lib/*\" ";
    kubectl.output("exec", name, "--", "bash", "-c", java + command);
  }
}
