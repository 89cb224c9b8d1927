package io.offheap.hbase.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Measures the memory of shapes by {@code e2e/bin/measure}. Shapes that are measured at once have
 * servers of their own, from different ports on, and each as much of the processors as another.
 */
final class MemoryBench {
  private static final ObjectMapper JSON = new ObjectMapper();
  // The plan does not hold; its figures are a result all the same.
  private static final int DOES_NOT_HOLD = 1;
  private static final int FIRST_PORT = 27_000;
  private static final int PORTS = 2000;
  private static final ProcessorGroup ALONE =
      new ProcessorGroup() {
        @Override
        public List<String> command(List<String> command) {
          return command;
        }

        @Override
        public void close() {
          // Nothing was made.
        }
      };

  // Of a minute.
  private static final double NANOS_A_TENTH = 6e9;

  private final Path script;
  private final Path results;
  private final Path scratch;
  private final String commit;
  private final Machine machine;
  private final Scripts.Condition condition;
  private final ProcessorGroup.Maker groups;

  /**
   * Creates one.
   *
   * @param script {@code e2e/bin/measure}
   * @param results folder that keeps the results
   * @param scratch folder for what the script writes
   * @param commit that is measured
   * @param condition that must hold before and after a measurement
   * @param groups for the processes of each shape
   */
  MemoryBench(
      Path script,
      Path results,
      Path scratch,
      String commit,
      Machine machine,
      Scripts.Condition condition,
      ProcessorGroup.Maker groups) {
    this.script = script;
    this.results = results;
    this.scratch = scratch;
    this.commit = commit;
    this.machine = machine;
    this.condition = condition;
    this.groups = groups;
  }

  /**
   * Returns what is due of the shapes.
   *
   * @param files the text of {@link InputWords}
   */
  List<Job> jobs(List<MemoryShape> shapes, String files) throws IOException {
    var due = new LinkedHashMap<String, List<MemoryShape>>();
    for (MemoryShape shape : shapes) {
      var key = key(shape, files);
      var present = Store.read(results, shape.name(), MemoryResult.class);
      if (present.filter(result -> result.inputs().equals(key)).isEmpty()) {
        var name = shape.together() == null ? shape.name() : shape.together();
        due.computeIfAbsent(name, it -> new ArrayList<>()).add(shape);
      }
    }
    return due.values().stream().<Job>map(it -> new ShapesJob(List.copyOf(it), files)).toList();
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

  /** Returns the begin of a command of {@code e2e/bin/measure}: what its plan depends on. */
  static List<String> command(Path script, MemoryShape shape) {
    return List.of(script.toString(), "--mode", shape.mode(), "--size", shape.size());
  }

  /** Measures shapes at once. */
  private final class ShapesJob implements Job {
    private final List<MemoryShape> shapes;
    private final String files;

    private ShapesJob(List<MemoryShape> shapes, String files) {
      this.shapes = shapes;
      this.files = files;
    }

    @Override
    public String title() {
      return shapes.stream().map(MemoryShape::name).collect(Collectors.joining(", "));
    }

    @Override
    public double minutes() {
      return shapes.stream().mapToDouble(MemoryShape::minutes).max().orElse(0);
    }

    @Override
    public void run() throws IOException, InterruptedException {
      condition.require();
      ExecutorService threads = Executors.newFixedThreadPool(shapes.size());
      try {
        var running = new ArrayList<Future<?>>();
        for (int i = 0; i < shapes.size(); i++) {
          var shape = shapes.get(i);
          int port = FIRST_PORT + i * PORTS;
          running.add(
              threads.submit(
                  () -> {
                    run(shape, port);
                    return null;
                  }));
        }
        await(running);
      } finally {
        threads.shutdown();
      }
    }

    /** One that fails does not end the others, which keep their results. */
    private void await(List<Future<?>> running) throws IOException, InterruptedException {
      IOException failed = null;
      InterruptedException interrupted = null;
      for (Future<?> shape : running) {
        try {
          shape.get();
        } catch (ExecutionException e) {
          if (e.getCause() instanceof InterruptedException cause) {
            interrupted = cause;
          } else {
            failed = new IOException(e.getCause().getMessage(), e.getCause());
          }
        }
      }
      if (interrupted != null) {
        throw interrupted;
      }
      if (failed != null) {
        throw failed;
      }
    }

    private void run(MemoryShape shape, int port) throws IOException, InterruptedException {
      var folder = scratch.resolve(shape.name());
      Runner.delete(folder);
      Files.createDirectories(folder);
      long begin = System.nanoTime();
      measure(shape, port, folder);
      double minutes = Math.round((System.nanoTime() - begin) / NANOS_A_TENTH) / 10.0;
      condition.require();
      var measured =
          JSON.readValue(
              folder.resolve(shape.caseName() + ".json").toFile(), MemoryResult.Case.class);
      var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      Store.write(
          results,
          shape.name(),
          new MemoryResult(
              shape.name(), key(shape, files), machine, commit, now, minutes, measured));
    }

    private void measure(MemoryShape shape, int port, Path folder)
        throws IOException, InterruptedException {
      var command = new ArrayList<>(command(script, shape));
      command.addAll(
          List.of("--seconds", Integer.toString(shape.seconds()), "--out", folder.toString()));
      if (shape.rows() != null) {
        command.addAll(List.of("--rows", Integer.toString(shape.rows())));
      }
      int status;
      try (var group = shapes.size() > 1 ? groups.make(shape.name()) : ALONE) {
        var builder = new ProcessBuilder(group.command(command));
        builder.environment().put("PORT_BASE", Integer.toString(port));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.redirectOutput(folder.resolve("output").toFile());
        status =
            Processes.run(builder, shape.name(), minutes() + RunPlan.SLACK_MINUTES, process -> {});
      }
      if (status != 0 && status != DOES_NOT_HOLD) {
        throw new IOException("%s of %s ended with %d".formatted(script, shape.name(), status));
      }
    }
  }
}
