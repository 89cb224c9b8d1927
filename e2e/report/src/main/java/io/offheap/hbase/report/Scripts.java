package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the report has the scripts do beside a measurement. */
final class Scripts {
  /** How the reason of a run begins that found other processes before its first server. */
  static final String NOT_IDLE = "other processes take ";

  private static final int ATTEMPTS = 4;

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

  /**
   * A bench that begins a run again which ended before its first server, since the machine was not
   * idle. This process is another one to the script too, and has just hashed the inputs. A machine
   * that stays busy fails the run.
   *
   * @param wait before it begins again
   * @param out gets the progress
   */
  static Runner.Bench whenIdle(Duration wait, PrintStream out, Runner.Bench bench) {
    return (folder, mostMinutes, measured) -> {
      for (int attempt = 1; ; attempt++) {
        try {
          bench.measure(folder, mostMinutes, measured);
          return;
        } catch (IOException e) {
          var reason = FailedRun.reason(folder, e);
          if (attempt == ATTEMPTS || !reason.startsWith(NOT_IDLE)) {
            throw e;
          }
          out.printf("    %s; again in %d s%n", reason, wait.toSeconds());
        }
        Thread.sleep(wait.toMillis());
        FailedRun.forget(folder);
      }
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

  /**
   * The configurations that the scripts {@code e2e/report/slice} and {@code e2e/bin/measure} give
   * the variants of a unit and the shapes.
   */
  static InputWords.Configurations configurations(Path slice, Path measure) {
    return new InputWords.Configurations() {
      @Override
      public String of(Unit unit, Path folder) throws IOException, InterruptedException {
        Files.write(folder.resolve("settings"), Runner.settings(unit, ""));
        Files.write(
            folder.resolve("order"),
            unit.variants().stream().map(it -> "1 " + it.letter()).toList());
        return output(
            unit.name(), List.of(slice.toString(), "--configurations", folder.toString()));
      }

      @Override
      public String of(List<MemoryShape> shapes) throws IOException, InterruptedException {
        var text = new StringBuilder();
        for (MemoryShape shape : shapes) {
          var command = new ArrayList<>(MemoryBench.command(measure, shape));
          command.add("--configurations");
          text.append(output(shape.name(), command));
        }
        return text.toString();
      }
    };
  }

  private static String output(String of, List<String> command)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    // It is in what they print.
    builder.environment().remove("PORT_BASE");
    var text = new StringBuilder();
    int status =
        Processes.run(
            builder,
            command.get(0),
            RunPlan.SLACK_MINUTES,
            process -> text.append(new String(process.getInputStream().readAllBytes(), UTF_8)));
    if (status != 0) {
      throw new IOException("%s ended with %d for %s".formatted(command.get(0), status, of));
    }
    return text.toString();
  }
}
