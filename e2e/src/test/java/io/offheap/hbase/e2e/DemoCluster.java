package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The cluster of {@code examples/demo.yaml}, which {@code make demo} makes too. */
record DemoCluster(Kubectl kubectl) {
  static final String NAME = "demo";

  void patch(String patch) {
    kubectl.output("patch", "hbc", NAME, "--warnings-as-errors", "--type=merge", "-p", patch);
  }

  /** Deletes it with its volumes: tables of an earlier suite are in them. */
  void deleteWithVolumes() {
    kubectl.output("delete", "hbc/" + NAME, "--ignore-not-found", "--timeout=120s");
    var instance = "app.kubernetes.io/instance=" + NAME;
    // A claim is deleted after the pods that use it.
    kubectl.output("wait", "--for=delete", "pods", "-l", instance, "--timeout=300s");
    kubectl.output("delete", "pvc,configmaps", "-l", instance, "--timeout=60s");
  }

  /** Uids of the cluster's pods by name. */
  Map<String, String> pods() {
    var pods = new TreeMap<String, String>();
    var output =
        pods(
            "app.kubernetes.io/instance=" + NAME,
            "{range .items[*]}{.metadata.name} {.metadata.uid}{\"\\n\"}{end}");
    for (String line : lines(output)) {
      int space = line.indexOf(' ');
      pods.put(line.substring(0, space), line.substring(space + 1));
    }
    return pods;
  }

  /** The value of a JSON path for the pods of a selector. */
  String pods(String selector, String path) {
    return kubectl.output("get", "pods", "-l", selector, "-o", "jsonpath=" + path);
  }

  static List<String> lines(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }

  /** The verifier has read so many rows, and none was wrong or missing. */
  static void assertRowsRight(int rows, JsonNode report) {
    assertThat(report.path("rowsRead").asInt()).isEqualTo(rows);
    assertThat(report.path("wrong").asInt(-1)).isZero();
    assertThat(report.path("missing").asInt(-1)).isZero();
  }
}
