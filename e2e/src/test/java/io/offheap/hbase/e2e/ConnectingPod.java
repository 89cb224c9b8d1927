package io.offheap.hbase.e2e;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A pod whose shell connects to other pods. */
record ConnectingPod(Kubectl kubectl, String name) {
  /** All at once: where packets are dropped, each takes its whole time. */
  private static final String SCRIPT =
      """
      for target in "$@"; do
        (timeout 3 bash -c 'exec 3<>"/dev/tcp/$1/$2"' connect "${target%:*}" "${target##*:}" \
      2>/dev/null && echo "$target") &
      done
      wait
      """;

  void awaitReady() {
    kubectl.output("wait", "--for=condition=Ready", "pod/" + name, "--timeout=120s");
  }

  /**
   * Those that accept a connection within three seconds.
   *
   * @param targets address and port, as {@code 10.244.1.5:2181}
   * @throws IllegalStateException if the command cannot run in the pod
   */
  Set<String> reached(Collection<String> targets) {
    var command = new ArrayList<>(List.of("exec", name, "--", "bash", "-c", SCRIPT, "connect"));
    command.addAll(targets);
    return Set.copyOf(DemoCluster.lines(kubectl.output(command.toArray(String[]::new))));
  }
}
