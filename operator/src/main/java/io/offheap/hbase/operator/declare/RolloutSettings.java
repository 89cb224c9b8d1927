package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.RolloutSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/** The values of {@code spec.rollout}. */
public record RolloutSettings(
    int maxUnavailable,
    int parallelMoves,
    Duration drainTimeout,
    Duration startTimeout,
    Optional<Duration> canaryWindow) {
  private static final Pattern DURATION =
      Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?");

  /** The values of a spec; {@link ClusterChecks} refuses texts that cannot be parsed. */
  public static RolloutSettings of(RolloutSpec spec) {
    return new RolloutSettings(
        spec.maxUnavailable(),
        spec.parallelMoves(),
        duration(spec.drainTimeout()).orElse(Duration.ofMinutes(30)),
        duration(spec.startTimeout()).orElse(Duration.ofMinutes(15)),
        spec.canary().enabled() ? duration(spec.canary().window()) : Optional.empty());
  }

  /** Hours, minutes and seconds, for example {@code 1h30m}; empty for anything else and for 0. */
  public static Optional<Duration> duration(String text) {
    var matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var duration =
        Duration.ofHours(number(matcher.group(1)))
            .plusMinutes(number(matcher.group(2)))
            .plusSeconds(number(matcher.group(3)));
    return duration.isZero() ? Optional.empty() : Optional.of(duration);
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** A window's time zone, UTC where none is declared; empty where there is none of that name. */
  public static Optional<ZoneId> zone(RolloutSpec.Window window) {
    if (window.timeZone() == null) {
      return Optional.of(ZoneOffset.UTC);
    }
    try {
      return Optional.of(ZoneId.of(window.timeZone()));
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }
}
