package io.offheap.hbase.e2e;

import java.util.ArrayList;
import java.util.List;

/** {@code kubectl hbc}, as the real kubectl runs it, with the jar that was built before. */
record Plugin(Kubectl kubectl) {
  /** kubectl searches its plugins on the path. */
  private static final String SCRIPT =
      """
      export PATH="$PWD/operator/src/plugin:$PATH"
      exec kubectl hbc "$@"
      """;

  /**
   * Standard output of a command of the plugin.
   *
   * @throws IllegalStateException if it fails
   */
  String output(String... arguments) {
    var command =
        new ArrayList<>(
            List.of("bash", "-euc", SCRIPT, "plugin", "--namespace", kubectl.namespace()));
    command.addAll(List.of(arguments));
    return kubectl.shell().output(command.toArray(String[]::new));
  }
}
