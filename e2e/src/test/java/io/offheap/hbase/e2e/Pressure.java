package io.offheap.hbase.e2e;

import java.util.ArrayList;
import java.util.List;

/** Clients in pods that load region servers and verify nothing, until they are stopped. */
final class Pressure {
  /** The verifier's own. */
  static final String TABLE = "offheap_verification";

  private final Kubectl kubectl;
  private final RolloutCluster cluster;
  private final List<String> pods = new ArrayList<>();

  Pressure(Kubectl kubectl, RolloutCluster cluster) {
    this.kubectl = kubectl;
    this.cluster = cluster;
  }

  /** Starts one; {@code MemoryLoad} has the options. */
  void start(String name, String... options) {
    var arguments =
        new ArrayList<>(
            List.of(
                "run",
                "io.offheap.hbase.loadgen.MemoryLoad",
                "--seconds=7200",
                "--until=/tmp/stop"));
    arguments.addAll(List.of(options));
    pods.add(name);
    cluster.applyLoad(name, arguments.toArray(String[]::new));
  }

  /**
   * Starts Gets of 50 rows each that go past the caches.
   *
   * @param getters so many at once
   */
  void startReads(String name, String table, int rows, int valueBytes, int getters) {
    start(
        name,
        "--table=" + table,
        "--rows=" + rows,
        "--value-size=" + valueBytes,
        "--connections=4",
        "--writers=0",
        "--scanners=0",
        "--getters=" + getters,
        "--get-rows=50",
        "--past-caches=100",
        "--pause-millis=1000");
  }

  /**
   * Ends all of them.
   *
   * @throws IllegalStateException if a request failed beyond the client's retries
   */
  void end() {
    pods.forEach(this::end);
    pods.clear();
  }

  /** Ends one that another class started. */
  void end(String pod) {
    kubectl.output("exec", pod, "--", "touch", "/tmp/stop");
    kubectl.output(
        "wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/" + pod, "--timeout=300s");
    System.out.printf("%s: %s%n", pod, kubectl.output("logs", pod).strip());
  }
}
