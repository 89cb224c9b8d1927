package io.offheap.hbase.e2e;

import java.util.ArrayList;
import java.util.List;

/** Clients in pods that load region servers and verify nothing, until they are told to stop. */
final class Pressure {
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
                "client",
                "run",
                "io.offheap.hbase.image.MemoryLoad",
                "--seconds=7200",
                "--until=/tmp/stop"));
    arguments.addAll(List.of(options));
    pods.add(name);
    cluster.applyLoad(name, arguments.toArray(String[]::new));
  }

  /**
   * Ends all of them.
   *
   * @throws IllegalStateException if a request failed beyond the client's retries
   */
  void end() {
    for (String pod : pods) {
      kubectl.output("exec", pod, "--", "touch", "/tmp/stop");
      kubectl.output(
          "wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/" + pod, "--timeout=300s");
      System.out.printf("%s: %s%n", pod, kubectl.output("logs", pod).strip());
    }
    pods.clear();
  }
}
