package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** How region servers are tuned on what they say of themselves. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TuningSpec(
    @Default("Auto")
        @JsonPropertyDescription(
            "Disabled: the plan is what is declared. Recommend: a change"
                + " that would help is told in status.tuning, and is made once the annotation"
                + " hbase.offheap.io/apply-tuning has its id. Auto: it is made, on one region server"
                + " first; a cluster's only one, and a rule that has not been proven on a real"
                + " server, are treated as with Recommend.")
        Mode mode,
    @Pattern(RolloutSpec.DURATION)
        @Default("10m")
        @JsonPropertyDescription(
            "How long a time a change is judged by, before and after it; 50s or more, since metrics"
                + " are read every ten seconds.")
        String window,
    @Pattern(RolloutSpec.DURATION)
        @Default("2m")
        @JsonPropertyDescription(
            "How long after its start a region server's metrics are not judged, while it compiles"
                + " its code and fills its caches.")
        String warmUp,
    @Pattern(RolloutSpec.DURATION)
        @Default("1h")
        @JsonPropertyDescription("How long nothing is changed after a change.")
        String coolDown,
    @Min(1)
        @Max(100)
        @Default("4")
        @JsonPropertyDescription(
            "Changes of a group in 24 hours; each restarts its region servers once.")
        Integer changesPerDay,
    @Default("false")
        @JsonPropertyDescription(
            "Whether the allocator's pool may grow at the bucket cache's expense where the off-heap"
                + " memory has no other room.")
        Boolean shrinkBucketCache,
    @Size(max = 20) @JsonPropertyDescription("Rules that are not followed.")
        List<Rule> disabledRules) {

  /** Fills in what was left out. */
  public TuningSpec {
    mode = mode == null ? Mode.Auto : mode;
    window = window == null ? "10m" : window;
    warmUp = warmUp == null ? "2m" : warmUp;
    coolDown = coolDown == null ? "1h" : coolDown;
    changesPerDay = changesPerDay == null ? 4 : changesPerDay;
    shrinkBucketCache = shrinkBucketCache != null && shrinkBucketCache;
    disabledRules = disabledRules == null ? List.of() : List.copyOf(disabledRules);
  }

  /** Where everything is left out. */
  public static TuningSpec ofDefaults() {
    return new TuningSpec(null, null, null, null, null, null, null);
  }

  /** What becomes of a change that would help. */
  public enum Mode {
    Disabled,
    Recommend,
    Auto
  }

  /** A rule. */
  public enum Rule {
    PoolTooSmall,
    BufferSmallerThanBlock,
    MetaBlocksSpill,
    MarkingTooEarlyOrLate,
    MixedTooLong,
    PrematurePromotion,
    MixedBackToBack
  }
}
