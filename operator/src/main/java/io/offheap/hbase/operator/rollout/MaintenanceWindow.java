package io.offheap.hbase.operator.rollout;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * When restarts may begin.
 *
 * <p>It opens by the clock on the wall and stays open for as long as is declared, whatever that
 * clock does meanwhile. A time that the clock leaves out in spring is as much later as the clock is
 * put forward; of a time that it shows twice in autumn the first one counts.
 *
 * @param days days of the week on which it opens; none for every day
 * @param start when it opens
 * @param duration how long it is open, over midnight too; at most a week
 * @param zone whose clock counts
 */
public record MaintenanceWindow(
    Set<DayOfWeek> days, LocalTime start, Duration duration, ZoneId zone) {
  private static final Duration LONGEST = Duration.ofDays(7);

  public MaintenanceWindow {
    days = Set.copyOf(days);
    if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("Not between nothing and a week: " + duration);
    }
  }

  /** Whether one of them is open; so it always is where none is declared. */
  public static boolean isOpen(List<MaintenanceWindow> windows, Instant now) {
    return windows.isEmpty() || windows.stream().anyMatch(it -> it.isOpen(now));
  }

  /** When the next of them opens; empty where one is open, or none is declared. */
  public static Optional<Instant> nextOpening(List<MaintenanceWindow> windows, Instant now) {
    return isOpen(windows, now)
        ? Optional.empty()
        : windows.stream().map(it -> it.nextOpening(now)).min(Comparator.naturalOrder());
  }

  /** Whether it is open. */
  public boolean isOpen(Instant now) {
    // One day more than it lasts: a day may have 25 hours.
    return openings(now, -duration.toDays() - 2, 0)
        .anyMatch(it -> !now.isBefore(it) && now.isBefore(it.plus(duration)));
  }

  /** When it opens for the first time after this. */
  public Instant nextOpening(Instant now) {
    // Where a day is left out altogether, as islands did that changed sides, the week after it.
    return openings(now, 0, 15).filter(it -> it.isAfter(now)).findFirst().orElseThrow();
  }

  private Stream<Instant> openings(Instant now, long firstDay, long lastDay) {
    var today = LocalDate.ofInstant(now, zone);
    return LongStream.rangeClosed(firstDay, lastDay)
        .mapToObj(today::plusDays)
        .filter(it -> days.isEmpty() || days.contains(it.getDayOfWeek()))
        .map(it -> ZonedDateTime.of(it, start, zone).toInstant());
  }
}
