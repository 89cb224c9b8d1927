package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** {@code e2e/cluster/cluster}: installs missing tools and prints their paths. */
final class ClusterScript {
  private static final Map<String, String> RESULTS = new HashMap<>();

  private ClusterScript() {}

  /** The last output line of a command of the script, which runs once. */
  static synchronized String run(String command) throws IOException {
    var known = RESULTS.get(command);
    if (known != null) {
      return known;
    }
    var result = runNow(command);
    RESULTS.put(command, result);
    return result;
  }

  private static String runNow(String command) throws IOException {
    var script = Path.of("..", "e2e", "cluster", "cluster").toString();
    var process = new ProcessBuilder(script, command).redirectError(Redirect.INHERIT).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(script + " " + command + " failed:\n" + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(script + " " + command + " was interrupted", e);
    }
    return output.substring(output.lastIndexOf('\n') + 1);
  }
}
