package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** How servers are restarted. A change of these fields restarts nothing. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RolloutSpec(
    @Min(1)
        @Max(100)
        @Default("1")
        @JsonPropertyDescription(
            "Region servers that may be drained or restarted at once, of all groups together; half"
                + " of them, rounded down, are always left.")
        Integer maxUnavailable,
    @Min(1)
        @Max(1000)
        @Default("8")
        @JsonPropertyDescription(
            "Regions that are moved at once; to one server no more than it opens at once, three if"
                + " hbase.regionserver.executor.openregion.threads is not declared.")
        Integer parallelMoves,
    @Pattern(DURATION)
        @Default("30m")
        @JsonPropertyDescription(
            "How long a region server may take to be drained. After that it gets its regions back,"
                + " and is tried again as much later.")
        String drainTimeout,
    @Pattern(DURATION)
        @Default("15m")
        @JsonPropertyDescription(
            "How long a restarted region server may take to serve. After that the change of its"
                + " group is rolled back.")
        String startTimeout,
    @JsonPropertyDescription("The first region server of a group that gets a change.")
        Canary canary,
    @Default("false")
        @JsonPropertyDescription(
            "Whether no restart may begin; one that has begun is brought to its end. The annotation"
                + " hbase.offheap.io/paused: \"true\" has the same effect.")
        Boolean paused,
    @Size(max = 20)
        @JsonPropertyDescription(
            "When restarts may begin; at any time where none is declared. What serves nothing is"
                + " restarted at any time.")
        List<Window> windows) {
  /** Hours, minutes and seconds. */
  static final String DURATION = "^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$";

  /** Applies the defaults. */
  public RolloutSpec {
    paused = paused != null && paused;
    maxUnavailable = maxUnavailable == null ? 1 : maxUnavailable;
    parallelMoves = parallelMoves == null ? 8 : parallelMoves;
    drainTimeout = drainTimeout == null ? "30m" : drainTimeout;
    startTimeout = startTimeout == null ? "15m" : startTimeout;
    canary = canary == null ? new Canary(null, null) : canary;
    windows = windows == null ? List.of() : List.copyOf(windows);
  }

  /** The default. */
  public static RolloutSpec ofDefaults() {
    return new RolloutSpec(null, null, null, null, null, null, null);
  }

  /** The first region server of a group that gets a change. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Canary(
      @Default("true")
          @JsonPropertyDescription(
              "Whether the others of its group wait until it was compared with them.")
          Boolean enabled,
      @Pattern(DURATION)
          @Default("5m")
          @JsonPropertyDescription("How long it is compared with them.")
          String window) {

    /** Applies the defaults. */
    public Canary {
      enabled = enabled == null || enabled;
      window = window == null ? "5m" : window;
    }
  }

  /** A maintenance window. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Window(
      @JsonPropertyDescription("Days on which it opens; every day where left out.") List<Day> days,
      @Required
          @Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$")
          @JsonPropertyDescription("When it opens, for example 02:00.")
          String start,
      @Required
          @Pattern(
              "^([1-9]|1[0-9]|2[0-4])h$|^([1-9][0-9]?|[1-9][0-9]{2}|1[0-3][0-9]{2}|14[0-3][0-9])m$")
          @JsonPropertyDescription("How long it is open: up to 24h, for example 4h or 90m.")
          String duration,
      @Default("UTC")
          @Pattern("^[A-Za-z0-9_+/-]{1,64}$")
          @JsonPropertyDescription("Time zone, for example Europe/Paris.")
          String timeZone) {}

  /** A day of the week. */
  public enum Day {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday
  }
}
