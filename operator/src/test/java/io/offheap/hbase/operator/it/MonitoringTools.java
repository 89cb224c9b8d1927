package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Real Prometheus and its tools, from {@code e2e/monitoring/tools}. */
final class MonitoringTools {
  private final Path programs;

  private MonitoringTools(Path programs) {
    this.programs = programs;
  }

  /** Fetches missing tools. */
  static MonitoringTools fetch() throws IOException {
    var script = Path.of("..", "e2e", "monitoring", "tools").toString();
    var process = new ProcessBuilder(script).redirectError(Redirect.INHERIT).start();
    var folder = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (await(process) != 0) {
      throw new IOException(script + " failed");
    }
    return new MonitoringTools(Path.of(folder, "usr", "bin"));
  }

  /**
   * How a command ended.
   *
   * @param output standard output and error
   */
  record Result(int status, String output) {
    /** The output of a command that must not fail. */
    String orThrow() {
      if (status != 0) {
        throw new AssertionError("exit status " + status + "\n" + output);
      }
      return output;
    }
  }

  Result promtool(Path folder, String... arguments) throws IOException {
    return run(folder, programs.resolve("promtool"), arguments);
  }

  /** Runs a command to its end, in a folder. */
  static Result run(Path folder, Path program, String... arguments) throws IOException {
    var process = start(folder, program, Redirect.PIPE, arguments);
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(await(process), output);
  }

  /** Starts Prometheus, with its log in the folder. */
  Process prometheus(Path folder, String... arguments) throws IOException {
    var log = Redirect.to(folder.resolve("prometheus.log").toFile());
    return start(folder, programs.resolve("prometheus"), log, arguments);
  }

  private static Process start(Path folder, Path program, Redirect output, String... arguments)
      throws IOException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output)
        .start();
  }

  private static int await(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
