package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
