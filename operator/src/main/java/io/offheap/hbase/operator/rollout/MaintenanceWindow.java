package io.offheap.hbase.operator.rollout;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * When restarts may begin.
 *
 * <p>It opens by local time and stays open for the declared duration, also across a change of
 * daylight saving time. A local time that does not exist in spring is later by the length of the
 * gap; of a local time that exists twice in autumn the first one counts.
 *
 * @param days days of the week on which it opens; none for every day
 * @param start when it opens
 * @param duration how long it is open, over midnight too; at most a week
 * @param zone time zone of {@code days} and {@code start}
 */
public record MaintenanceWindow(
    Set<DayOfWeek> days, LocalTime start, Duration duration, ZoneId zone) {
  private static final Duration LONGEST = Duration.ofDays(7);

  public MaintenanceWindow {
    days = Set.copyOf(days);
    if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "duration " + duration + ": must be over 0 and at most " + LONGEST);
    }
  }

  /** Whether one of the windows is open, or none is declared. */
  public static boolean isOpen(List<MaintenanceWindow> windows, Instant now) {
    return windows.isEmpty() || windows.stream().anyMatch(it -> it.isOpen(now));
  }

  /** Whether it is open. */
  public boolean isOpen(Instant now) {
    return openings(now).anyMatch(it -> !now.isBefore(it) && now.isBefore(it.plus(duration)));
  }

  /** Openings whose window may not be over; a day more than it lasts, as a day may have 25 h. */
  private Stream<Instant> openings(Instant now) {
    var today = LocalDate.ofInstant(now, zone);
    return LongStream.rangeClosed(-duration.toDays() - 2, 0)
        .mapToObj(today::plusDays)
        .filter(it -> days.isEmpty() || days.contains(it.getDayOfWeek()))
        .map(it -> ZonedDateTime.of(it, start, zone).toInstant());
  }
}
