package io.offheap.hbase.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a run measures: each round is kept when it is whole, and why the run failed. */
final class KeptRounds implements Runner.MeasuredServer {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final double NANOS_A_MINUTE = 60e9;

  private final RunPlan.Run run;
  private final Map<Unit, Results> present;
  private final Path results;
  private final String commit;
  private final PrintStream out;
  private final long begin = System.nanoTime();
  private int round;
  private final List<Arm> arms = new ArrayList<>();

  /**
   * Creates one.
   *
   * @param present the rounds of each unit, to which those of the run are added
   * @param results folder that keeps them
   * @param commit that is measured
   * @param out gets the progress
   */
  KeptRounds(
      RunPlan.Run run, Map<Unit, Results> present, Path results, String commit, PrintStream out) {
    this.run = run;
    this.present = present;
    this.results = results;
    this.commit = commit;
    this.out = out;
  }

  boolean isWhole() {
    return round == run.rounds().size();
  }

  @Override
  public void accept(Path figures) throws IOException {
    if (isWhole()) {
      throw new IOException("more servers than were due: " + figures);
    }
    var due = run.rounds().get(round);
    var measured = JSON.readValue(figures.toFile(), Runner.Measured.class);
    var arm =
        new Arm(
            due.order().get(arms.size()),
            new TreeMap<>(measured.figures()),
            measured.sweep() == null ? null : new TreeMap<>(measured.sweep()),
            measured.eden(),
            measured.slowestMillis(),
            measured.failure(),
            measured.conditions());
    requireHits(run.unit(), arm);
    arms.add(arm);
    if (arms.size() < due.order().size()) {
      return;
    }
    keep(present().with(new Round(due.equal(), commit, now(), List.copyOf(arms))));
    arms.clear();
    round++;
    out.printf(
        "    round %d of %d%s%n",
        round, run.rounds().size(), due.equal() ? " (equal variants)" : "");
  }

  /**
   * Keeps why the run failed.
   *
   * @param letter of the variant that was measured; where it is of none, that of the server that
   *     was due
   */
  void failed(String reason, String letter) throws IOException {
    var last = run.rounds().get(Math.min(round, run.rounds().size() - 1)).order();
    var variant =
        last.stream()
            .filter(it -> it.letter().equals(letter))
            .findFirst()
            .orElse(last.get(Math.min(arms.size(), last.size() - 1)));
    keep(present().with(new Results.Failure(now(), commit, variant, reason)));
  }

  /** Keeps how long the run took. */
  void ended() throws IOException {
    double minutes = (System.nanoTime() - begin) / NANOS_A_MINUTE;
    keep(
        present()
            .with(new Results.RunTime(now(), round, rounded(run.minutes()), rounded(minutes))));
    out.printf(Locale.ROOT, "    took %.1f min; %.1f stated%n", minutes, run.minutes());
  }

  private static double rounded(double minutes) {
    return Math.round(10 * minutes) / 10.0;
  }

  private Results present() {
    return present.get(run.unit());
  }

  /** Results of other inputs stay until there is a round of these. */
  private void keep(Results more) throws IOException {
    present.put(run.unit(), more);
    if (!more.rounds().isEmpty()
        || Results.read(results, more.unit()).filter(old -> !old.rounds().isEmpty()).isEmpty()) {
      more.write(results);
    }
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * The state of the cache is a condition of the unit: a server in another one measured something
   * else. Where no block was looked up, none was found.
   */
  private static void requireHits(Unit unit, Arm arm) throws IOException {
    if (unit.hits() == null || arm.hasEnded()) {
      return;
    }
    double share = arm.figures().getOrDefault(Figure.HIT_SHARE, 0.0);
    for (Unit.Hits hits : unit.hits()) {
      if (hits.of() == arm.variant() && (share < hits.least() || share > hits.most())) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s, variant %s: found %.3f of the data blocks in a cache; must be %.2f to %.2f",
                unit.name(),
                arm.variant().letter(),
                share,
                hits.least(),
                hits.most()));
      }
    }
  }
}
