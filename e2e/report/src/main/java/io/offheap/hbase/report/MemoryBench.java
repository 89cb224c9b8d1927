package io.offheap.hbase.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Measures the memory of shapes by {@code e2e/bin/measure}. */
final class MemoryBench {
  private static final ObjectMapper JSON = new ObjectMapper();
  // The plan does not hold; its figures are a result all the same.
  private static final int DOES_NOT_HOLD = 1;
  // Of a minute.
  private static final double NANOS_A_TENTH = 6e9;

  private final Path script;
  private final Path results;
  private final Path scratch;
  private final String commit;
  private final Machine machine;
  private final Scripts.Condition condition;

  /**
   * Creates one.
   *
   * @param script {@code e2e/bin/measure}
   * @param results folder that keeps the results
   * @param scratch folder for what the script writes
   * @param commit that is measured
   * @param condition that must hold before and after a measurement
   */
  MemoryBench(
      Path script,
      Path results,
      Path scratch,
      String commit,
      Machine machine,
      Scripts.Condition condition) {
    this.script = script;
    this.results = results;
    this.scratch = scratch;
    this.commit = commit;
    this.machine = machine;
    this.condition = condition;
  }

  /**
   * Returns what is due of the shapes.
   *
   * @param files the text of {@link InputWords}
   */
  List<Job> jobs(List<MemoryShape> shapes, String files) throws IOException {
    var jobs = new ArrayList<Job>();
    for (MemoryShape shape : shapes) {
      var key = key(shape, files);
      var present = Store.read(results, shape.name(), MemoryResult.class);
      if (present.filter(result -> result.inputs().equals(key)).isEmpty()) {
        jobs.add(new ShapeJob(shape, key));
      }
    }
    return jobs;
  }

  /**
   * Returns what a shape's result depends on, as one word.
   *
   * @param files the text of {@link InputWords}
   */
  static String key(MemoryShape shape, String files) throws IOException {
    return Units.key(
        List.of(
            InputWords.of(files, InputWords.MEMORY), shape.mode(), shape.gib(), shape.seconds()));
  }

  /** Measures one shape. */
  private final class ShapeJob implements Job {
    private final MemoryShape shape;
    private final String key;

    private ShapeJob(MemoryShape shape, String key) {
      this.shape = shape;
      this.key = key;
    }

    @Override
    public String title() {
      return shape.name();
    }

    @Override
    public double minutes() {
      return shape.minutes();
    }

    @Override
    public void run() throws IOException, InterruptedException {
      var folder = scratch.resolve(shape.name());
      Runner.delete(folder);
      Files.createDirectories(folder);
      condition.require();
      long begin = System.nanoTime();
      measure(folder);
      double minutes = Math.round((System.nanoTime() - begin) / NANOS_A_TENTH) / 10.0;
      condition.require();
      var measured =
          JSON.readValue(
              folder.resolve(shape.caseName() + ".json").toFile(), MemoryResult.Case.class);
      var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      Store.write(
          results,
          shape.name(),
          new MemoryResult(shape.name(), key, machine, commit, now, minutes, measured));
    }

    private void measure(Path folder) throws IOException, InterruptedException {
      var command =
          new ArrayList<>(
              List.of(
                  script.toString(),
                  "--mode",
                  shape.mode(),
                  "--size",
                  shape.size(),
                  "--seconds",
                  Integer.toString(shape.seconds()),
                  "--out",
                  folder.toString()));
      if (shape.rows() != null) {
        command.addAll(List.of("--rows", Integer.toString(shape.rows())));
      }
      var builder = new ProcessBuilder(command);
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.redirectOutput(folder.resolve("output").toFile());
      int status = Processes.run(builder, minutes() + RunPlan.SLACK_MINUTES, process -> {});
      if (status != 0 && status != DOES_NOT_HOLD) {
        throw new IOException("%s of %s ended with %d".formatted(script, shape.name(), status));
      }
    }
  }
}
