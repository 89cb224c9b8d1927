package io.offheap.hbase.report;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * A measurement of the report: variants of a region server under one load on one table. {@code
 * units.yaml} explains the components.
 */
@RecordBuilder
public record Unit(
    String name,
    String title,
    int point,
    int limit,
    Table table,
    Cache cache,
    Load load,
    Seconds seconds,
    List<Variant> variants,
    Rounds rounds,
    Minutes minutes,
    List<Goal> goals,
    SeedOf seedOf,
    Map<Figure, Double> seed,
    Map<Integer, Double> sweepSeed,
    List<String> notes,
    Placement placement,
    List<Hits> hits,
    Boolean onRequest,
    Boolean unbroken,
    Quick quick) {
  // Enough for each step to happen; half of the table is more than the least bucket cache of a
  // plan.
  private static final int SMOKE_ROWS = 80_000;
  private static final int SMOKE_STEPS_SECONDS = 90;

  /** How the servers of a round share the machine. */
  public enum Placement {
    /** One after the other, each with the whole machine; where left out. */
    inTurn,
    /**
     * Two at the same time, each with its own load, HDFS and half of the processors. The next round
     * has them on each other's side. Latency and throughput are those of half a machine.
     */
    sideBySide
  }

  /**
   * The share of data blocks that a variant must find in a cache, by its own counters, or the round
   * is not one of this unit.
   */
  public record Hits(Variant of, double least, double most) {}

  /** The two variants whose difference is what the seed changed. */
  public record SeedOf(Variant of, Variant than) {}

  /** Rows of {@code valueBytes} bytes each, in {@code regions} regions. */
  public record Table(int rows, int valueBytes, int regions) {}

  /**
   * The block cache of each variant.
   *
   * @param share of the table that the bucket cache has; null unless the kind is {@code share}
   * @param mib that each cache has for data blocks; null unless the kind is {@code same}
   */
  public record Cache(Kind kind, Double share, Integer mib) {
    /** Which part of the table can be cached. */
    public enum Kind {
      none,
      share,
      /** As many bytes for data blocks in each variant that caches them. */
      same,
      all,
      /** Whatever each variant's own configuration gives. */
      own
    }
  }

  /**
   * YCSB's load.
   *
   * @param operation what a read is
   * @param read percent of the operations that read; the rest updates one row
   * @param rate operations a second at the fixed rate
   * @param distribution of the rows that are read, YCSB's name of it
   * @param sweep numbers of threads that the throughput is measured with as well; null for none
   * @param evaluation whether HBase's own PerformanceEvaluation is the sweep's client, on a table
   *     of its own form with as many rows; null for no
   * @param updateRows rows of one update, in one request; null for one
   * @param mixed whether the unit is about mixed collections: a server without one ends its run;
   *     null for no
   * @param stepsSeconds how long the operator's own tuning may look for its steps under this load,
   *     before they are measured; null for no such steps
   */
  public record Load(
      Operation operation,
      int read,
      int threads,
      int rate,
      String distribution,
      List<Integer> sweep,
      Boolean evaluation,
      Integer updateRows,
      Boolean mixed,
      Integer stepsSeconds) {
    /** What a read is; {@code HBaseBinding} explains them. */
    public enum Operation {
      get,
      multiGet,
      filteredScan,
      tenthScan,
      /** A Get, at the fixed rate alone, while three region servers are restarted in turn. */
      rollout
    }

    /** This load for so few seconds that the collector has nothing to do. */
    private Load smallest() {
      return new Load(
          operation,
          read,
          threads,
          rate,
          distribution,
          sweep,
          evaluation,
          updateRows,
          null,
          stepsSeconds == null ? null : SMOKE_STEPS_SECONDS);
    }
  }

  /**
   * Duration of each phase.
   *
   * @param sweep for each number of threads; null where there is no sweep
   */
  public record Seconds(int warmUp, int rate, int full, Integer sweep) {}

  /**
   * How often it is measured.
   *
   * @param pairs rounds of all variants
   * @param noise pairs of servers of the same variant: as many of these rounds begin with the
   *     variant that ends them; side by side, rounds of their own
   */
  public record Rounds(int pairs, int noise) {}

  /**
   * Duration on two idle cores.
   *
   * @param start of all servers but the region servers
   * @param table to write it, in the unit's first run; the others find it
   * @param variant of a server in a round
   */
  public record Minutes(double start, double table, double variant) {}

  /** The shorter measurement of the quick set. */
  public record Quick(List<Variant> variants, Seconds seconds, Rounds rounds, Minutes minutes) {}

  /** What is written once for all units with the same. */
  record KeptTable(Table table, boolean evaluation) {}

  KeptTable keptTable() {
    return new KeptTable(table, isEvaluation());
  }

  /** Whether each variant but the first has one change more than the one before it. */
  boolean hasSteps() {
    return variants.contains(Variant.O0) || variants.contains(Variant.G0);
  }

  boolean isEvaluation() {
    return Boolean.TRUE.equals(load.evaluation());
  }

  /** Whether it is measured where it is named alone. */
  boolean isOnRequest() {
    return Boolean.TRUE.equals(onRequest);
  }

  /**
   * Whether each variant has one server alone, in a run of its own, for longer than other runs may
   * take: nothing of it is compared.
   */
  boolean isUnbroken() {
    return Boolean.TRUE.equals(unbroken);
  }

  /** Servers that its results must have, or rounds of all variants. */
  int due() {
    return isUnbroken() ? variants.size() : rounds.pairs();
  }

  boolean isSideBySide() {
    return placement == Placement.sideBySide;
  }

  /** Minutes of a round of so many servers. */
  double roundMinutes(int servers) {
    return isSideBySide() ? minutes.variant() : servers * minutes.variant();
  }

  /** This unit as the quick set measures it. */
  Unit quickened() {
    return with(table, quick.variants(), quick.seconds(), quick.rounds(), quick.minutes(), hits);
  }

  /** This unit as small as it works: it shows that the measurement works, and nothing else. */
  Unit smallest() {
    var smallest =
        with(
            new Table(Math.min(SMOKE_ROWS, table.rows()), table.valueBytes(), table.regions()),
            variants,
            new Seconds(3, 5, 3, seconds.sweep() == null ? null : 2),
            new Rounds(1, 0),
            new Minutes(0.8, 1, 0.6),
            // So few rows and seconds leave a cache in no other state.
            cache.kind() == Cache.Kind.none || cache.kind() == Cache.Kind.all ? hits : null);
    return UnitBuilder.builder(smallest).load(load.smallest()).build();
  }

  private Unit with(
      Table otherTable,
      List<Variant> otherVariants,
      Seconds otherSeconds,
      Rounds otherRounds,
      Minutes otherMinutes,
      List<Hits> otherHits) {
    return UnitBuilder.builder(this)
        .table(otherTable)
        .seconds(otherSeconds)
        .variants(otherVariants)
        .rounds(otherRounds)
        .minutes(otherMinutes)
        .goals(
            goals.stream()
                .filter(goal -> otherVariants.contains(goal.of()))
                .map(goal -> goal.among(otherVariants))
                .toList())
        .hits(otherHits)
        .seedOf(
            seedOf != null && otherVariants.containsAll(List.of(seedOf.of(), seedOf.than()))
                ? seedOf
                : null)
        // They are of other results.
        .notes(null)
        .onRequest(null)
        .quick(null)
        .build();
  }
}
