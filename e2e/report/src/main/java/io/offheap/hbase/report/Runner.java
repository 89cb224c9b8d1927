package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Carries out the runs of units. A round is kept as soon as its last server was measured, so that a
 * run which ends early, for whatever reason, costs the round that it was in and no other.
 */
final class Runner {
  private static final double MIB = 1 << 20;

  /** Measures the servers of a run, in their order. */
  interface Bench {
    /**
     * Measures.
     *
     * @param folder that has the run's settings and order
     * @param mostMinutes after which it is ended
     * @param measured gets the file of each server's figures
     * @throws IOException if a server could not be measured
     */
    void measure(Path folder, double mostMinutes, MeasuredServer measured)
        throws IOException, InterruptedException;
  }

  /** Takes what a server showed. */
  interface MeasuredServer {
    /**
     * Takes it.
     *
     * @param figures a file
     */
    void accept(Path figures) throws IOException;
  }

  /** What a file of figures has. */
  record Measured(
      Map<Figure, Double> figures,
      Map<Integer, Double> sweep,
      List<Arm.Point> eden,
      List<Double> slowestMillis,
      String failure,
      Arm.Conditions conditions) {}

  private final Bench bench;
  private final Path results;
  private final Path scratch;
  private final String commit;
  private final String tableKey;
  private final PrintStream out;

  /**
   * Creates one.
   *
   * @param results folder that keeps the rounds
   * @param scratch folder for what the runs write; the last one's stays
   * @param commit that is measured
   * @param tableKey of what writes the tables
   * @param out gets the progress
   */
  Runner(Bench bench, Path results, Path scratch, String commit, String tableKey, PrintStream out) {
    this.bench = bench;
    this.results = results;
    this.scratch = scratch;
    this.commit = commit;
    this.tableKey = tableKey;
    this.out = out;
  }

  /**
   * Returns what each of the units still needs, to be carried out in this order. Where one fails,
   * what was measured until then is kept.
   *
   * @param due the rounds that there are, of the same inputs, by unit
   */
  List<Job> jobs(Map<Unit, Results> due) {
    var jobs = new ArrayList<Job>();
    var present = new HashMap<>(due);
    RunPlan.of(due).forEach(run -> jobs.add(new RunJob(run, present)));
    return jobs;
  }

  /** One run of a unit, which adds to the rounds that are present. */
  private final class RunJob implements Job {
    private final RunPlan.Run run;
    private final Map<Unit, Results> present;

    private RunJob(RunPlan.Run run, Map<Unit, Results> present) {
      this.run = run;
      this.present = present;
    }

    @Override
    public String title() {
      return "%s, %d rounds".formatted(run.unit().name(), run.rounds().size());
    }

    @Override
    public double minutes() {
      return run.minutes();
    }

    @Override
    public void run() throws IOException, InterruptedException {
      Runner.this.run(run, present);
    }
  }

  private void run(RunPlan.Run run, Map<Unit, Results> present)
      throws IOException, InterruptedException {
    var folder = scratch.resolve(run.unit().name());
    FailedRun.keep(folder);
    delete(folder);
    Files.createDirectories(folder);
    Files.write(folder.resolve("settings"), settings(run.unit(), tableKey));
    Files.write(folder.resolve("order"), order(run));
    var kept = new KeptRounds(run, present, results, commit, out);
    try {
      bench.measure(folder, run.mostMinutes(), kept);
      if (!kept.isWhole()) {
        throw new IOException("%s ended early; see %s".formatted(run.unit().name(), folder));
      }
    } catch (IOException e) {
      kept.failed(FailedRun.reason(folder, e), FailedRun.variant(folder));
      throw e;
    } finally {
      kept.ended();
    }
  }

  /**
   * What a run's script reads.
   *
   * @param key of what writes the tables, which are kept by it
   */
  static List<String> settings(Unit unit, String key) {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("tableKey", key);
    settings.put("limitMib", unit.limit());
    settings.put("rows", unit.table().rows());
    settings.put("valueBytes", unit.table().valueBytes());
    settings.put("regions", unit.table().regions());
    settings.put("cache", unit.cache().kind());
    if (unit.cache().share() != null) {
      settings.put("bucketCacheMib", bucketCacheMib(unit));
    } else if (unit.cache().mib() != null) {
      settings.put("bucketCacheMib", unit.cache().mib());
    }
    if (unit.isSideBySide()) {
      settings.put("sideBySide", 1);
    }
    settings.put("operation", unit.load().operation());
    settings.put("read", unit.load().read());
    settings.put("threads", unit.load().threads());
    settings.put("rate", unit.load().rate());
    settings.put("distribution", unit.load().distribution());
    settings.put("warmUp", unit.seconds().warmUp());
    settings.put("rateSeconds", unit.seconds().rate());
    settings.put("fullSeconds", unit.seconds().full());
    if (unit.load().sweep() != null) {
      settings.put(
          "sweep",
          unit.load().sweep().stream().map(String::valueOf).collect(Collectors.joining(",")));
      settings.put("sweepSeconds", unit.seconds().sweep());
    }
    if (unit.load().updateRows() != null) {
      settings.put("updateRows", unit.load().updateRows());
    }
    if (Boolean.TRUE.equals(unit.load().mixed())) {
      settings.put("mixed", 1);
    }
    if (unit.load().stepsSeconds() != null) {
      settings.put("stepsSeconds", unit.load().stepsSeconds());
    }
    if (unit.isEvaluation()) {
      settings.put("evaluation", 1);
    }
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .toList();
  }

  /** By the bytes of the values: what else is in a block is within the table's own spread. */
  private static long bucketCacheMib(Unit unit) {
    double bytes = (double) unit.table().rows() * unit.table().valueBytes();
    return Math.max(1, Math.round(unit.cache().share() * bytes / MIB));
  }

  private static List<String> order(RunPlan.Run run) {
    var lines = new ArrayList<String>();
    for (int i = 0; i < run.rounds().size(); i++) {
      for (Variant variant : run.rounds().get(i).order()) {
        lines.add((i + 1) + " " + variant.letter());
      }
    }
    return lines;
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The script {@code e2e/report/slice}. */
  static Bench script(Path script) {
    return (folder, mostMinutes, measured) -> {
      var builder = new ProcessBuilder(script.toString(), folder.toString());
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      int status =
          Processes.run(
              builder,
              script.toString(),
              mostMinutes,
              process -> {
                try (var lines = process.inputReader(UTF_8)) {
                  String line;
                  while ((line = lines.readLine()) != null) {
                    measured.accept(Path.of(line));
                  }
                }
              });
      if (status != 0) {
        throw new IOException("%s ended with %d; see %s".formatted(script, status, folder));
      }
    };
  }
}
