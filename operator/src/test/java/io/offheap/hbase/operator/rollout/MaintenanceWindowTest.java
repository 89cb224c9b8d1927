package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Days are of November 2025: the 1st is a Saturday. Berlin's clock changes in March and October.
 */
class MaintenanceWindowTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void isOpenFromStartUntilBeforeEnd() {
    var window = window("02:00", Duration.ofHours(3), DayOfWeek.SATURDAY);

    assertThat(window.isOpen(at("2025-11-01T01:59:59Z"))).isFalse();
    assertThat(window.isOpen(at("2025-11-01T02:00:00Z"))).isTrue();
    assertThat(window.isOpen(at("2025-11-01T04:59:59Z"))).isTrue();
    assertThat(window.isOpen(at("2025-11-01T05:00:00Z"))).isFalse();
    assertThat(window.isOpen(at("2025-11-02T03:00:00Z"))).as("another day").isFalse();
  }

  @Test
  void windowOverMidnightBelongsToOpeningDay() {
    var window = window("23:00", Duration.ofHours(4), DayOfWeek.FRIDAY);

    assertThat(window.isOpen(at("2025-11-01T02:59:59Z"))).as("Saturday early").isTrue();
    assertThat(window.isOpen(at("2025-11-01T23:30:00Z"))).as("Saturday night").isFalse();
    assertThat(window.isOpen(at("2025-10-31T02:00:00Z"))).as("Friday early").isFalse();
  }

  @Test
  void mayLastForDays() {
    var window = window("20:00", Duration.ofHours(58), DayOfWeek.FRIDAY);

    assertThat(window.isOpen(at("2025-11-03T05:59:59Z"))).as("Monday early").isTrue();
    assertThat(window.isOpen(at("2025-11-03T06:00:00Z"))).isFalse();
    assertThat(
            window("00:00", Duration.ofDays(7), DayOfWeek.MONDAY)
                .isOpen(at("2025-11-09T23:59:59Z")))
        .as("a week is never over")
        .isTrue();
  }

  @Test
  void opensEveryDayWithoutDays() {
    var window = window("02:00", Duration.ofHours(1));

    for (int day = 1; day < 8; day++) {
      assertThat(window.isOpen(at("2025-11-0" + day + "T02:30:00Z"))).isTrue();
      assertThat(window.isOpen(at("2025-11-0" + day + "T03:30:00Z"))).isFalse();
    }
  }

  @Test
  void usesTimeOfZone() {
    var window = new MaintenanceWindow(Set.of(), LocalTime.of(2, 0), Duration.ofHours(1), BERLIN);

    assertThat(window.isOpen(at("2025-07-01T00:30:00Z"))).as("summer").isTrue();
    assertThat(window.isOpen(at("2025-12-01T00:30:00Z"))).as("winter").isFalse();
    assertThat(window.isOpen(at("2025-12-01T01:30:00Z"))).isTrue();
    assertThat(
            new MaintenanceWindow(
                    Set.of(DayOfWeek.SATURDAY),
                    LocalTime.of(0, 30),
                    Duration.ofHours(1),
                    ZoneId.of("Asia/Tokyo"))
                .isOpen(at("2025-10-31T16:00:00Z")))
        .as("Saturday there")
        .isTrue();
  }

  /** 2025-03-30: 02:00 is 03:00. */
  @Test
  void timeInSpringGapIsLaterByGap() {
    var window = new MaintenanceWindow(Set.of(), LocalTime.of(2, 30), Duration.ofHours(1), BERLIN);

    assertThat(window.isOpen(at("2025-03-30T01:29:59Z"))).as("03:29:59").isFalse();
    assertThat(window.isOpen(at("2025-03-30T01:30:00Z"))).as("03:30").isTrue();
    assertThat(window.isOpen(at("2025-03-30T02:29:59Z"))).isTrue();
    assertThat(window.isOpen(at("2025-03-30T02:30:00Z"))).isFalse();
  }

  /** 2025-10-26: 03:00 is 02:00 once more. */
  @Test
  void timeInAutumnOverlapOpensOnce() {
    var window = new MaintenanceWindow(Set.of(), LocalTime.of(2, 30), Duration.ofHours(1), BERLIN);

    assertThat(window.isOpen(at("2025-10-26T00:29:59Z"))).isFalse();
    assertThat(window.isOpen(at("2025-10-26T00:30:00Z"))).isTrue();
    assertThat(window.isOpen(at("2025-10-26T01:29:59Z"))).as("02:29:59, the second").isTrue();
    assertThat(window.isOpen(at("2025-10-26T01:30:00Z"))).as("02:30, the second").isFalse();
  }

  @Test
  void durationIsKeptAcrossClockChange() {
    var window = new MaintenanceWindow(Set.of(), LocalTime.of(1, 0), Duration.ofHours(4), BERLIN);

    assertThat(window.isOpen(at("2025-03-30T03:59:59Z"))).as("spring, 05:59:59").isTrue();
    assertThat(window.isOpen(at("2025-03-30T04:00:00Z"))).isFalse();
    assertThat(window.isOpen(at("2025-10-26T02:59:59Z"))).as("autumn, 03:59:59").isTrue();
    assertThat(window.isOpen(at("2025-10-26T03:00:00Z"))).isFalse();
  }

  @Test
  void oneOpenWindowSuffices() {
    var windows =
        List.of(
            window("02:00", Duration.ofHours(1), DayOfWeek.SATURDAY),
            window("12:00", Duration.ofHours(1), DayOfWeek.SUNDAY));

    assertThat(MaintenanceWindow.isOpen(windows, at("2025-11-01T02:30:00Z"))).isTrue();
    assertThat(MaintenanceWindow.isOpen(windows, at("2025-11-02T12:30:00Z"))).isTrue();
    assertThat(MaintenanceWindow.isOpen(windows, at("2025-11-01T12:30:00Z"))).isFalse();
  }

  @Test
  void alwaysOpenWithoutWindows() {
    assertThat(MaintenanceWindow.isOpen(List.of(), at("2025-11-01T12:30:00Z"))).isTrue();
  }

  @Test
  void refusesZeroAndMoreThanAWeek() {
    assertThatThrownBy(() -> window("02:00", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> window("02:00", Duration.ofHours(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> window("02:00", Duration.ofDays(7).plusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static MaintenanceWindow window(String start, Duration duration, DayOfWeek... days) {
    return new MaintenanceWindow(Set.of(days), LocalTime.parse(start), duration, ZoneOffset.UTC);
  }

  private static Instant at(String time) {
    return Instant.parse(time);
  }
}
