package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/** State of tuning. Tuned values are not part of the spec: without them the plan is as declared. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TuningStatus(
    @JsonPropertyDescription("Each group of region servers.") List<Group> groups) {

  /** A group of region servers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @RecordBuilder
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Group(
      @JsonPropertyDescription("Name, empty for the default one.") String name,
      @JsonPropertyDescription(
              "What tuning does or waits for: Disabled, Trying, WaitingForRollout,"
                  + " WaitingForSpec, Gathering, CoolingDown, Watching, WaitingForApproval, Limited,"
                  + " Applying or Stopping.")
          String reason,
      @JsonPropertyDescription("The same for people, with its numbers.") String message,
      @JsonPropertyDescription("Suspected causes that tuning cannot remove.")
          List<Suspicion> suspected,
      @JsonPropertyDescription("Values that tuning chose.") List<Value> values,
      @JsonPropertyDescription("The change that is being tried.") Trial trial,
      @JsonPropertyDescription("A change that would help, and waits.")
          Recommendation recommendation,
      @JsonPropertyDescription("What became of each rule's changes.") List<RuleRecord> rules,
      @JsonPropertyDescription("What was done, newest last.") List<Entry> history,
      @JsonPropertyDescription("When tuning restarted the group in the last 24 hours.")
          List<String> restarts,
      @JsonPropertyDescription("When a change was last applied, kept or rolled back.")
          String lastChange,
      @JsonPropertyDescription("Changes tried so far.") int trials) {
    /** A list is never left out: what another client wrote into it stays otherwise. */
    public Group {
      values = values == null ? List.of() : List.copyOf(values);
      rules = rules == null ? List.of() : List.copyOf(rules);
      history = history == null ? List.of() : List.copyOf(history);
      restarts = restarts == null ? List.of() : List.copyOf(restarts);
    }
  }

  /** A cause that tuning cannot remove. */
  public record Suspicion(
      @JsonPropertyDescription("The rule that suspects it.") String rule,
      @JsonPropertyDescription("What it suspects, with the numbers.") String message) {}

  /** A value that tuning chose. */
  public record Value(
      @JsonPropertyDescription("HBase's or HotSpot's own name.") String key,
      @JsonPropertyDescription("Value.") String value,
      @JsonPropertyDescription("The rule that chose it.") String rule) {}

  /** The values that tuning chose for a group. */
  public record GroupValues(
      @JsonPropertyDescription("Name of the group, empty for the default group.") String group,
      @JsonPropertyDescription("Values that tuning chose.") List<Value> values) {}

  /**
   * Metrics by which a change is judged; a missing metric is left out. Shares are in parts per
   * million, since the API has no floating-point numbers.
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonDeserialize(converter = Baseline.Reader.class)
  public record Baseline(
      @JsonPropertyDescription("The share that must fall, in parts per million.")
          Long symptomPerMillion,
      @JsonPropertyDescription("The same of servers without the change, in parts per million.")
          Long peersPerMillion,
      @JsonPropertyDescription("Bytes a second that a server's allocator handed out.")
          Long trafficBytesPerSecond,
      @JsonPropertyDescription(
              "Share of the time in collections, of the worst server, in parts per million.")
          Long pausesPerMillion,
      @JsonPropertyDescription(
              "99th percentile of the calls' time in the server, of the worst server, in"
                  + " microseconds.")
          Long callP99Micros) {

    /**
     * Reads a baseline, also with the floating-point numbers of the form before, which a status or
     * the config map {@code NAME-remembered} may still have.
     */
    static final class Reader extends StdConverter<Map<String, Double>, Baseline> {
      private static final int MILLION = 1_000_000;

      @Override
      public Baseline convert(Map<String, Double> fields) {
        return new Baseline(
            value(fields, "symptomPerMillion", "symptom", MILLION),
            value(fields, "peersPerMillion", "peers", MILLION),
            value(fields, "trafficBytesPerSecond", "traffic", 1),
            value(fields, "pausesPerMillion", "pauses", MILLION),
            value(fields, "callP99Micros", "callP99Micros", 1));
      }

      private static Long value(Map<String, Double> fields, String name, String former, int unit) {
        var value = fields.get(name);
        if (value != null) {
          return Math.round(value);
        }
        var before = fields.get(former);
        return before == null ? null : Long.valueOf(Math.round(before * unit));
      }
    }
  }

  /** A change on trial. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Trial(
      @JsonPropertyDescription("Rule.") String rule,
      @JsonPropertyDescription("The changed values.") Map<String, String> values,
      @JsonPropertyDescription("All tuned values before it.") List<Value> before,
      @JsonPropertyDescription("The metrics before it.") Baseline baseline,
      @JsonPropertyDescription("Rolling, Settling or Watching.") String phase,
      @JsonPropertyDescription("When that began.") String since) {}

  /** A recommended change. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Recommendation(
      @JsonPropertyDescription(
              "Value of the annotation hbase.offheap.io/apply-tuning that approves it, and of"
                  + " hbase.offheap.io/dismiss-tuning that dismisses it.")
          String id,
      @JsonPropertyDescription("Rule.") String rule,
      @JsonPropertyDescription("The values.") Map<String, String> values,
      @JsonPropertyDescription("The formula with its numbers.") String reason,
      @JsonPropertyDescription("What was seen.") List<String> evidence,
      @JsonPropertyDescription("Since when it would help.") String since) {}

  /** Results of a rule's changes. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RuleRecord(
      @JsonPropertyDescription("Rule.") String rule,
      @JsonPropertyDescription("Changes without gain, one after the other.") int withoutGain,
      @JsonPropertyDescription("Direction of the last one: up 1, down -1.") int direction,
      @JsonPropertyDescription("Changes of direction; each halves the step.") int reversals,
      @JsonPropertyDescription("The last one that helped.") Kept kept,
      @JsonPropertyDescription("When the rule stopped.") String stopped,
      @JsonPropertyDescription("What is suspected since.") String suspicion,
      @JsonPropertyDescription(
              "The change that a user dismissed, or that was tried and that clients did not feel."
                  + " It is not proposed again while the rule finds about the same values for the"
                  + " same plan.")
          Dismissed dismissed) {}

  /** A change that is not proposed again. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Dismissed(
      @JsonPropertyDescription("When.") String at,
      @JsonPropertyDescription("The values that it would set.") Map<String, String> values,
      @JsonPropertyDescription("What was planned for the same keys then.")
          Map<String, String> planned,
      @JsonPropertyDescription("True where it was tried and clients felt nothing of it.")
          Boolean unfelt) {}

  /** A change that helped. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Kept(
      @JsonPropertyDescription("The metrics before it.") Baseline baseline,
      @JsonPropertyDescription("The rule's values before it.") List<Value> before) {}

  /** An event of tuning. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Entry(
      @JsonPropertyDescription("When.") String at,
      @JsonPropertyDescription("Rule.") String rule,
      @JsonPropertyDescription("Applied, Kept, RolledBack, Stopped or Dropped.") String event,
      @JsonPropertyDescription("The values that were set or rolled back.")
          Map<String, String> values,
      @JsonPropertyDescription("Why, with the numbers.") String reason,
      @JsonPropertyDescription("What was seen.") List<String> evidence,
      @JsonPropertyDescription("The alert after which it was applied, where there was one.")
          Alert alert) {}

  /** An alert of Prometheus. */
  public record Alert(
      @JsonPropertyDescription("Name.") String name,
      @JsonPropertyDescription("Alertmanager's fingerprint of it.") String fingerprint,
      @JsonPropertyDescription("Since when it fires.") String startsAt) {}
}
