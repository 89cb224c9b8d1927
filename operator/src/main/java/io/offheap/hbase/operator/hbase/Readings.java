package io.offheap.hbase.operator.hbase;

import static java.util.Comparator.comparing;
import static java.util.function.BinaryOperator.maxBy;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;

/**
 * Selects the readings of a cluster's servers that are kept: those of a window. A window of over an
 * hour is divided into sixty parts; once a part is over, it is reduced to two readings of each
 * server, with the first and the last value of each counter and the least and the greatest value of
 * each gauge. Tuning evaluates only these, and a day would have 4,320 readings of a server
 * otherwise.
 */
final class Readings {
  private static final Duration ALL_KEPT = Duration.ofHours(1);
  private static final int PARTS = 60;

  private Readings() {}

  /**
   * Returns the readings to keep after a round.
   *
   * @param before the kept readings
   * @param now the readings of the round
   * @param kept for how long a reading is kept
   * @param time the time
   * @return oldest first
   */
  static List<Reading> next(
      List<Reading> before, Collection<Reading> now, Duration kept, Instant time) {
    var last =
        before.stream().collect(toMap(Reading::server, identity(), maxBy(comparing(Reading::at))));
    var all =
        Stream.concat(
                before.stream(),
                now.stream()
                    .filter(it -> isOfItsServer(it, Optional.ofNullable(last.get(it.server())))))
            .filter(it -> it.at().isAfter(time.minus(kept)))
            // Readings with a later time were stored before a clock was set back: behind them,
            // counters would decrease.
            .filter(it -> !it.at().isAfter(time))
            .toList();
    return kept.compareTo(ALL_KEPT) > 0 ? thinned(all, kept.dividedBy(PARTS), time) : all;
  }

  /**
   * Whether a reading belongs to the process that it names. A decreased counter is that of another
   * process, which has not reported its name yet.
   */
  private static boolean isOfItsServer(Reading reading, Optional<Reading> last) {
    return last.stream()
        .flatMap(it -> it.values().entrySet().stream())
        .filter(it -> it.getKey().kind() == Metric.Kind.COUNTER)
        .noneMatch(it -> reading.values().getOrDefault(it.getKey(), it.getValue()) < it.getValue());
  }

  private static List<Reading> thinned(List<Reading> all, Duration part, Instant time) {
    record Part(String server, long number) {}
    return all.stream()
        .collect(
            groupingBy(
                it -> new Part(it.server(), number(it.at(), part)), LinkedHashMap::new, toList()))
        .entrySet()
        .stream()
        .flatMap(
            it ->
                it.getValue().size() <= 2 || it.getKey().number() == number(time, part)
                    ? it.getValue().stream()
                    : ends(it.getValue()))
        .sorted(comparing(Reading::at))
        .toList();
  }

  private static long number(Instant at, Duration part) {
    return Math.floorDiv(at.toEpochMilli(), part.toMillis());
  }

  private static Stream<Reading> ends(List<Reading> part) {
    return Stream.of(
        end(part.get(0), part, Math::min), end(part.get(part.size() - 1), part, Math::max));
  }

  private static Reading end(Reading end, List<Reading> part, DoubleBinaryOperator extreme) {
    var values = new EnumMap<Metric, Double>(Metric.class);
    for (Metric metric : Metric.values()) {
      var of = metric.kind() == Metric.Kind.COUNTER ? List.of(end) : part;
      of.stream()
          .filter(it -> it.values().containsKey(metric))
          .mapToDouble(it -> it.values().get(metric))
          .reduce(extreme)
          .ifPresent(it -> values.put(metric, it));
    }
    return new Reading(end.pod(), end.server(), end.at(), values);
  }
}
