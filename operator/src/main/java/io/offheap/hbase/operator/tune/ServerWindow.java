package io.offheap.hbase.operator.tune;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Readings of one process over a window, oldest first; at least two.
 *
 * @param readings the readings
 */
public record ServerWindow(List<Reading> readings) {
  public ServerWindow {
    readings = readings.stream().sorted(comparing(Reading::at)).toList();
    if (readings.size() < 2) {
      throw new IllegalArgumentException("a window must have two readings or more");
    }
    if (readings.stream().map(Reading::server).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "the readings of a window must be of one process: " + readings);
    }
  }

  /**
   * The windows of each pod's youngest process, in the order of the pods.
   *
   * @param warmUp time from the start of a process whose readings are left out: the process
   *     compiles its code and fills its caches
   */
  public static List<ServerWindow> of(Collection<Reading> readings, Duration warmUp) {
    return readings.stream()
        .collect(groupingBy(Reading::pod, TreeMap::new, toList()))
        .values()
        .stream()
        .flatMap(ofPod -> youngest(ofPod, warmUp).stream())
        .toList();
  }

  private static Optional<ServerWindow> youngest(List<Reading> ofPod, Duration warmUp) {
    var start = ofPod.stream().map(Reading::processStart).max(Instant::compareTo).orElseThrow();
    return ofEnough(
        ofPod.stream()
            .filter(it -> it.processStart().equals(start))
            .filter(it -> !it.at().isBefore(start.plus(warmUp)))
            .toList());
  }

  private static Optional<ServerWindow> ofEnough(List<Reading> readings) {
    return readings.size() < 2 ? Optional.empty() : Optional.of(new ServerWindow(readings));
  }

  /** The window without readings before a time; empty where fewer than two are left. */
  public Optional<ServerWindow> since(Instant time) {
    return ofEnough(readings.stream().filter(it -> !it.at().isBefore(time)).toList());
  }

  public String pod() {
    return readings.get(0).pod();
  }

  /** From the first reading to the last. */
  public Duration length() {
    return Duration.between(readings.get(0).at(), readings.get(readings.size() - 1).at());
  }

  /** The longest time between two readings. */
  public Duration longestGap() {
    return IntStream.range(1, readings.size())
        .mapToObj(it -> Duration.between(readings.get(it - 1).at(), readings.get(it).at()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The readings' values of a metric, oldest first. */
  public DoubleStream values(Metric metric) {
    return with(metric).stream().mapToDouble(it -> it.values().get(metric));
  }

  public OptionalDouble last(Metric metric) {
    return values(metric).reduce((first, second) -> second);
  }

  public OptionalDouble max(Metric metric) {
    return values(metric).max();
  }

  public OptionalDouble min(Metric metric) {
    return values(metric).min();
  }

  /** The increase of a counter; empty with fewer than two readings of it. */
  public OptionalDouble delta(Metric metric) {
    var with = with(metric);
    if (with.size() < 2) {
      return OptionalDouble.empty();
    }
    double rise = with.get(with.size() - 1).values().get(metric) - with.get(0).values().get(metric);
    return rise < 0 ? OptionalDouble.empty() : OptionalDouble.of(rise);
  }

  /** A counter's mean rate. */
  public OptionalDouble perSecond(Metric metric) {
    var with = with(metric);
    return with.size() < 2
        ? OptionalDouble.empty()
        : perSecond(metric, with.get(0), with.get(with.size() - 1));
  }

  /** A counter's rate from each reading to the next, oldest first. */
  public DoubleStream rates(Metric metric) {
    var with = with(metric);
    return IntStream.range(1, with.size())
        .mapToObj(it -> perSecond(metric, with.get(it - 1), with.get(it)))
        .flatMapToDouble(OptionalDouble::stream);
  }

  private static OptionalDouble perSecond(Metric metric, Reading from, Reading to) {
    double rise = to.values().get(metric) - from.values().get(metric);
    long millis = Duration.between(from.at(), to.at()).toMillis();
    return rise < 0 || millis == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(rise * 1000 / millis);
  }

  private List<Reading> with(Metric metric) {
    return readings.stream().filter(it -> it.values().containsKey(metric)).toList();
  }
}
