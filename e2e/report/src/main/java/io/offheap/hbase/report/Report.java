package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The command line of the report; {@code e2e/bin/report} calls it. */
public final class Report {
  private static final String SLICE = "e2e/report/slice";
  private static final String MEASURE = "e2e/bin/measure";

  // That set is for a machine that does other things as well.
  private static final int SMOKE_TIMES = 6;
  private static final Duration UNTIL_IDLE = Duration.ofSeconds(30);

  private Report() {}

  /**
   * Carries out one command.
   *
   * <p>{@code inputs ROOT SET SCRATCH}: prints the text of {@link InputWords}, which is the KEY of
   * the other commands.
   *
   * <p>{@code run ROOT SET KEY COMMIT RESULTS DOCS SCRATCH SHARE [UNIT...]}: measures what is due
   * and writes the document. SET is whole, quick or smoke. RESULTS and DOCS are folders. Of the
   * units and shapes alone that are named, and of these alone the {@link Share}.
   *
   * <p>{@code write ROOT SET RESULTS DOCS [KEY]}: writes the document alone. With KEY, results of
   * other inputs are stale.
   *
   * <p>Exit status: 2 when something could not be measured, 130 when a signal ended a run.
   */
  public static void main(String[] args) throws IOException {
    var root = Path.of(args[1]);
    var units = Units.read(root.resolve("e2e/report/units.yaml"));
    switch (args[0]) {
      case "inputs" -> {
        try {
          System.out.println(
              InputWords.text(
                  new Artefacts(root),
                  units,
                  set(args[2]),
                  Scripts.configurations(root.resolve(SLICE), root.resolve(MEASURE)),
                  Path.of(args[3])));
        } catch (IOException | InterruptedException e) {
          System.err.println("report: " + e.getMessage());
          System.exit(2);
        }
      }
      case "run" -> {
        try {
          run(root, units, args);
        } catch (IOException | InterruptedException e) {
          System.err.println("report: " + e.getMessage());
          System.exit(e instanceof InterruptedException ? 130 : 2);
        }
      }
      case "write" -> {
        if (args.length > 5) {
          new Inputs(args[5]).write(Path.of(args[3]));
        }
        new Document(set(args[2])).write(units, Path.of(args[3]), Path.of(args[4]));
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static MeasuredSet set(String name) {
    return MeasuredSet.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static void run(Path root, Units units, String[] args)
      throws IOException, InterruptedException {
    var set = set(args[2]);
    var results = Path.of(args[5]);
    var docs = Path.of(args[6]);
    var machine = Machine.present();
    var named = Set.copyOf(Arrays.asList(args).subList(9, args.length));
    units.requireNames(named);
    var share = Share.parse(args[8]);
    var shapes =
        units.memoryOf(set).stream()
            .filter(shape -> named.isEmpty() || named.contains(shape.name()))
            .toList();
    var wanted = share.of(units.of(set).stream().filter(unit -> isWanted(unit, named)).toList());
    var document = new Document(set);
    var artefacts = new Artefacts(root);
    Scripts.Condition same = () -> InputWords.requireSame(args[3], artefacts, units);
    var due = due(wanted, args[3], results, machine);
    try {
      var runner =
          new Runner(
              Scripts.patient(
                  set == MeasuredSet.SMOKE ? SMOKE_TIMES : 1,
                  Scripts.checked(
                      same,
                      Scripts.whenIdle(
                          UNTIL_IDLE, System.out, Runner.script(root.resolve(SLICE))))),
              results,
              Path.of(args[7]),
              args[4],
              InputWords.of(args[3], InputWords.TABLES),
              System.out);
      var memory =
          new MemoryBench(
              root.resolve(MEASURE),
              results,
              Path.of(args[7]),
              args[4],
              machine,
              same,
              ControlGroup::make);
      var jobs = new ArrayList<>(runner.jobs(due));
      jobs.addAll(memory.jobs(share.of(shapes), args[3]));
      Job.runAll(jobs, System.out);
    } finally {
      new Inputs(args[3]).write(results);
      document.write(units, results, docs);
    }
  }

  static boolean isWanted(Unit unit, Set<String> named) {
    return named.isEmpty() ? !unit.isOnRequest() : named.contains(unit.name());
  }

  /**
   * Returns the results of each unit. Rounds of other inputs do not count, nor do rounds of another
   * machine, unless the unit is complete: comparisons are within one machine.
   */
  static Map<Unit, Results> due(List<Unit> units, String files, Path results, Machine machine)
      throws IOException {
    var due = new LinkedHashMap<Unit, Results>();
    for (Unit unit : units) {
      var key = Units.key(unit, files);
      due.put(
          unit,
          Results.read(results, unit.name())
              .filter(present -> present.inputs().equals(key))
              .filter(
                  present ->
                      present.machine().equals(machine) || RunPlan.of(unit, present).isEmpty())
              .orElse(Results.none(unit.name(), key, machine)));
    }
    return due;
  }
}
