package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
  private static final Machine MACHINE = new Machine("p", 2, 4, "17", "6");
  private static final Unit UNIT = RunPlanTest.unit(2, 1, new Unit.Minutes(2, 0, 3));

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<String> servers = new ArrayList<>();
  private int failing = Integer.MAX_VALUE;
  private Path results;

  @BeforeEach
  void makeFolder() {
    results = folder.resolve("results");
  }

  /** Measures each server of the order, until the one that fails. */
  private void bench(Path run, double mostMinutes, Runner.MeasuredServer measured)
      throws IOException {
    for (String line : Files.readAllLines(run.resolve("order"))) {
      if (servers.size() == failing) {
        throw new IOException("a server did not start");
      }
      servers.add(line.substring(line.indexOf(' ') + 1));
      var file = run.resolve("figures.json");
      Files.writeString(
          file,
          """
          {"figures": {"p99Millis": %d}, "sweep": {"5": 10}, "eden": [{"second": 1.5, "mib": 64}],
           "conditions": {"foreignPercent": 1.25, "stealPercent": 0, "load1": 3.5, "attempt": 2,
             "warmUpSeconds": 17.1, "quiet": true, "groupPeakMib": 900}}
          """
              .formatted(servers.size()));
      measured.accept(file);
    }
  }

  private void run() throws IOException, InterruptedException {
    var due = Report.due(List.of(UNIT), "files", results, MACHINE);
    Job.runAll(runner(this::bench).jobs(due), print());
  }

  private Runner runner(Runner.Bench bench) {
    return new Runner(bench, results, folder.resolve("scratch"), "abc", "tables", print());
  }

  private PrintStream print() {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  private Results kept() throws IOException {
    return Results.read(results, "unit").orElseThrow();
  }

  @Test
  void keepsEachRoundWithItsServersInTheOrderInWhichTheyRan() throws Exception {
    run();

    assertThat(servers).containsExactly("e", "a", "c", "e", "e", "c", "a");
    assertThat(kept().rounds())
        .extracting(Round::equal, Round::commit, Round::hasEqualPair)
        .containsExactly(tuple(false, "abc", true), tuple(false, "abc", false));
    assertThat(kept().compare(Figure.P99_MILLIS, Variant.E, Variant.A).pairs()).isEqualTo(2);
    assertThat(kept().values(Figure.P99_MILLIS, Variant.E)).containsExactly(4, 5);
  }

  @Test
  void keepsTheConditionsOfEachServer() throws Exception {
    run();

    assertThat(kept().rounds())
        .flatExtracting(Round::arms)
        .extracting(Arm::conditions)
        .containsOnly(new Arm.Conditions(1.25, 0, 3.5, 2, 17.1, true, 900, null));
  }

  @Test
  void resumesAfterTheLastWholeRound() throws Exception {
    // In the middle of the second round.
    failing = 5;
    assertThatThrownBy(this::run).hasMessageContaining("a server did not start");
    assertThat(kept().rounds()).hasSize(1);

    servers.clear();
    failing = Integer.MAX_VALUE;
    run();

    assertThat(servers).containsExactly("e", "c", "a");
    assertThat(kept().rounds()).hasSize(2);
  }

  @Test
  void keepsWhyARunFailedAndAtWhichServer() throws Exception {
    failing = 5;
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
    failing = Integer.MAX_VALUE;
    run();

    assertThat(kept().failures())
        .extracting(Results.Failure::variant, Results.Failure::reason, Results.Failure::commit)
        .containsExactly(tuple(Variant.C, "a server did not start", "abc"));
  }

  @Test
  void reasonOfTheScriptHasItsVariantAndNoFolderOfThisMachine() throws Exception {
    Runner.Bench failing =
        (run, minutes, measured) -> {
          Files.writeString(run.resolve("failure-variant"), "c\n");
          Files.writeString(run.resolve("failure"), "the load failed; see " + run + "/log/x.log\n");
          throw new IOException("slice ended with 2");
        };
    var jobs = runner(failing).jobs(Map.of(UNIT, Results.none("unit", "key", MACHINE)));

    assertThatThrownBy(() -> Job.runAll(jobs, print())).isInstanceOf(IOException.class);

    assertThat(results.resolve("unit.json"))
        .content()
        .contains("the load failed; see x.log")
        .doesNotContain(folder.toString());
    assertThat(kept().failures()).extracting(Results.Failure::variant).containsOnly(Variant.C);
  }

  @Test
  void reasonHasTheLastExceptionOfItsLogWhichStaysUntilTheNextFailure() throws Exception {
    Runner.Bench failing =
        (run, minutes, measured) -> {
          Files.createDirectories(run.resolve("log"));
          Files.writeString(
              run.resolve("log/x.log"),
              """
              java.io.IOException: earlier
              	at a.B.c(B.java:1)
              Caused by: java.net.ConnectException: refused, see /some/where/else.txt
              	at a.B.d(B.java:2)
              """);
          Files.writeString(run.resolve("failure"), "the load failed; see " + run + "/log/x.log\n");
          throw new IOException("slice ended with 2");
        };
    for (int i = 0; i < 2; i++) {
      var jobs = runner(failing).jobs(Map.of(UNIT, Results.none("unit", "key", MACHINE)));
      assertThatThrownBy(() -> Job.runAll(jobs, print())).isInstanceOf(IOException.class);
    }

    assertThat(kept().failures())
        .extracting(Results.Failure::reason)
        .containsOnly(
            "the load failed; see x.log: Caused by: java.net.ConnectException: refused, see"
                + " else.txt");
    try (var logs = Files.walk(folder)) {
      assertThat(logs.filter(it -> it.endsWith("log/x.log")))
          .extracting(it -> it.getName(it.getNameCount() - 3).toString())
          .containsExactlyInAnyOrder("unit", "unit-failed");
    }
  }

  @Test
  void failureLeavesResultsOfOtherInputsUntilThereIsARound() throws Exception {
    run();
    Runner.Bench failing =
        (run, minutes, measured) -> {
          throw new IOException("no jar");
        };
    var due = Report.due(List.of(UNIT), "other", results, MACHINE);

    assertThatThrownBy(() -> Job.runAll(runner(failing).jobs(due), print()))
        .hasMessageContaining("no jar");

    assertThat(kept().rounds()).hasSize(2);
  }

  @Test
  void serverThatEndedIsKeptWithItsReason() throws Exception {
    Runner.Bench ending =
        (run, minutes, measured) -> {
          int servers = Files.readAllLines(run.resolve("order")).size();
          for (int i = 0; i < servers; i++) {
            var file = run.resolve("figures.json");
            Files.writeString(
                file, "{\"figures\": {\"outOfMemory\": 1}, \"failure\": \"status 137\"}");
            measured.accept(file);
          }
        };
    var unit = withHits(new Unit.Hits(Variant.E, 0.55, 0.75));

    Job.runAll(runner(ending).jobs(Map.of(unit, Results.none("unit", "key", MACHINE))), print());

    assertThat(kept().hasEnded(Variant.E)).isTrue();
    assertThat(kept().rounds().get(0).arms().get(0).failure()).isEqualTo("status 137");
  }

  @Test
  void keepsTheTimeOfEachRun() throws Exception {
    run();

    assertThat(kept().runs())
        .extracting(Results.RunTime::rounds, Results.RunTime::stated)
        .containsExactly(tuple(1, 14.0), tuple(1, 11.0));
    assertThat(kept().runs()).allSatisfy(run -> assertThat(run.real()).isBetween(0.0, 1.0));
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("min; 14.0 stated");
  }

  @Test
  void runAfterOneThatFailedAddsToItsRounds() throws Exception {
    Runner.Bench once =
        (run, minutes, measured) -> {
          bench(run, minutes, measured);
          if (servers.size() == 4) {
            throw new IOException("the disk is full");
          }
        };
    var due = Report.due(List.of(UNIT), "files", results, MACHINE);
    var jobs = runner(once).jobs(due);

    assertThatThrownBy(() -> Job.runAll(jobs, print()))
        .hasMessage("1 of 2 runs failed; unit, 1 rounds: the disk is full");

    assertThat(kept().rounds()).hasSize(2);
  }

  @Test
  void measuresNothingTwice() throws Exception {
    run();
    servers.clear();

    run();

    assertThat(servers).isEmpty();
  }

  @Test
  void measuresAgainWhatOtherInputsGave() throws Exception {
    run();

    var due = Report.due(List.of(UNIT), "other", results, MACHINE);

    assertThat(due.get(UNIT).rounds()).isEmpty();
  }

  @Test
  void addsNoRoundToThoseOfAnotherMachineAndKeepsThemWhereTheyAreComplete() throws Exception {
    var other = new Machine("q", 8, 4, "17", "6");
    failing = 5;
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
    assertThat(Report.due(List.of(UNIT), "files", results, other).get(UNIT).rounds()).isEmpty();

    failing = Integer.MAX_VALUE;
    run();

    assertThat(Report.due(List.of(UNIT), "files", results, other).get(UNIT).rounds()).hasSize(2);
  }

  @Test
  void showsProgressAndTheTimeThatIsLeft() throws Exception {
    run();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "==> run 1 of 2: unit, 1 rounds, about 14 min; 0 h 25 min left of all",
            "    round 1 of 1",
            "==> run 2 of 2: unit, 1 rounds, about 11 min; 0 h 11 min left of all");
  }

  @Test
  void runThatEndsWithoutItsServersFails() {
    var due = Map.of(UNIT, Results.none("unit", "key", MACHINE));
    var jobs = runner((run, minutes, measured) -> {}).jobs(due);

    assertThatThrownBy(() -> Job.runAll(jobs, print())).hasMessageContaining("unit ended early");
  }

  @Test
  void figuresOfJarsThatHaveChangedAreNotKept() throws Exception {
    Scripts.Condition same =
        () -> {
          if (servers.size() == 5) {
            throw new IOException("jars have changed");
          }
        };
    var due = Map.of(UNIT, Results.none("unit", "key", MACHINE));
    var jobs = runner(Scripts.checked(same, this::bench)).jobs(due);

    assertThatThrownBy(() -> Job.runAll(jobs, print())).hasMessageContaining("jars have changed");

    assertThat(kept().rounds()).hasSize(1);
  }

  /** A bench whose servers find this share of the blocks. */
  private static Runner.Bench finding(double share) {
    return (run, minutes, measured) -> {
      int servers = Files.readAllLines(run.resolve("order")).size();
      for (int i = 0; i < servers; i++) {
        var file = run.resolve("figures.json");
        Files.writeString(file, "{\"figures\": {\"hitShare\": %s}}".formatted(share));
        measured.accept(file);
      }
    };
  }

  private static Unit withHits(Unit.Hits hits) {
    return UnitBuilder.builder(UNIT).hits(List.of(hits)).build();
  }

  @Test
  void roundWithItsCacheInAnotherStateIsNotKept() throws Exception {
    var unit = withHits(new Unit.Hits(Variant.E, 0.55, 0.75));
    var due = Map.of(unit, Results.none("unit", "key", MACHINE));

    assertThatThrownBy(() -> Job.runAll(runner(finding(0.5)).jobs(due), print()))
        .hasMessageContaining(
            "unit, variant e: found 0.500 of the data blocks in a cache; must be 0.55 to 0.75");
    assertThat(kept().rounds()).isEmpty();
    assertThat(kept().failures()).hasSize(2);

    Job.runAll(runner(finding(0.66)).jobs(due), print());
    assertThat(kept().rounds()).hasSize(2);
  }

  @Test
  void serverThatLookedUpNoBlockFoundNone() throws Exception {
    failing = Integer.MAX_VALUE;
    var none = withHits(new Unit.Hits(Variant.E, 0, 0));
    Job.runAll(
        runner(this::bench).jobs(Map.of(none, Results.none("unit", "key", MACHINE))), print());
    assertThat(kept().rounds()).hasSize(2);

    var some = withHits(new Unit.Hits(Variant.E, 0.1, 1));
    var jobs = runner(this::bench).jobs(Map.of(some, Results.none("unit", "key", MACHINE)));
    assertThatThrownBy(() -> Job.runAll(jobs, print())).hasMessageContaining("found 0.000");
  }

  @Test
  void figureOfAnUnknownNameFails() {
    Runner.Bench unknown =
        (run, minutes, measured) -> {
          var file = run.resolve("figures.json");
          Files.writeString(file, "{\"figures\": {\"p42Millis\": 1}, \"eden\": []}");
          measured.accept(file);
        };
    var jobs = runner(unknown).jobs(Map.of(UNIT, Results.none("unit", "key", MACHINE)));

    assertThatThrownBy(() -> Job.runAll(jobs, print())).hasMessageContaining("p42Millis");
  }

  @Test
  void settingsHaveEachValueThatTheScriptReads() throws IOException {
    var script = Files.readString(Path.of("slice"));
    var names =
        Pattern.compile("setting\\[(\\w+)]")
            .matcher(script)
            .results()
            .map(match -> match.group(1))
            .filter(name -> !name.equals("name"))
            .distinct()
            .toList();
    var units = Units.read(Path.of("units.yaml")).units();
    var written =
        units.stream()
            .flatMap(unit -> Runner.settings(unit, "abc").stream())
            .map(setting -> setting.substring(0, setting.indexOf('=')))
            .distinct();

    assertThat(written).containsExactlyInAnyOrderElementsOf(names);
    assertThat(units.stream().flatMap(unit -> Runner.settings(unit, "abc").stream()))
        .contains("bucketCacheMib=372", "sweep=5,25,75", "bucketCacheMib=256", "sideBySide=1");
  }
}
