package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the report has the scripts do beside a measurement. */
final class Scripts {
  private Scripts() {}

  /**
   * A bench that measures only while a condition holds: before a run, and before each server's
   * figures are taken.
   */
  static Runner.Bench checked(Condition condition, Runner.Bench bench) {
    return (folder, mostMinutes, measured) -> {
      condition.require();
      bench.measure(
          folder,
          mostMinutes,
          figures -> {
            condition.require();
            measured.accept(figures);
          });
    };
  }

  /** A bench whose runs may take so many times as long: beside other processes they do. */
  static Runner.Bench patient(int times, Runner.Bench bench) {
    return (folder, mostMinutes, measured) -> bench.measure(folder, times * mostMinutes, measured);
  }

  /** What must hold while something is measured. */
  interface Condition {
    /**
     * Checks it.
     *
     * @throws IOException if it does not hold
     */
    void require() throws IOException;
  }

  /** The configuration that the script {@code e2e/report/slice} gives the variants of a unit. */
  static InputWords.Configurations configurations(Path script) {
    return (unit, folder) -> {
      Files.write(folder.resolve("settings"), Runner.settings(unit, ""));
      Files.write(
          folder.resolve("order"), unit.variants().stream().map(it -> "1 " + it.letter()).toList());
      var builder = new ProcessBuilder(script.toString(), "--configurations", folder.toString());
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      var text = new StringBuilder();
      int status =
          Processes.run(
              builder,
              RunPlan.SLACK_MINUTES,
              process -> text.append(new String(process.getInputStream().readAllBytes(), UTF_8)));
      if (status != 0) {
        throw new IOException("%s ended with %d for %s".formatted(script, status, unit.name()));
      }
      return text.toString();
    };
  }
}
