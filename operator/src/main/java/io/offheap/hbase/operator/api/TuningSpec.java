package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** How region servers are tuned by their metrics. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TuningSpec(
    @Default("Auto")
        @JsonPropertyDescription(
            "Disabled: the plan is what is declared. Recommend: a change is recommended in"
                + " status.tuning, and is applied once the annotation hbase.offheap.io/apply-tuning"
                + " has its id. Auto: it is applied, on one region server first; a cluster's only"
                + " one, and a rule that has not been proven on a real server, are treated as with"
                + " Recommend.")
        Mode mode,
    @Pattern(RolloutSpec.DURATION)
        @Default("10m")
        @JsonPropertyDescription(
            "How long metrics are collected before a change, and after it; 50s or more, since"
                + " metrics are read every ten seconds.")
        String window,
    @Pattern(RolloutSpec.DURATION)
        @Default("2m")
        @JsonPropertyDescription(
            "How long after its start a region server's metrics do not count, while it compiles"
                + " its code and fills its caches.")
        String warmUp,
    @Pattern(RolloutSpec.DURATION)
        @Default("1h")
        @JsonPropertyDescription("How long no change is applied after a change.")
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
    @Size(max = 20)
        @JsonPropertyDescription(
            "Rules whose proposals are ignored, by name, for example MixedTooLong. A name that this"
                + " version does not have is refused.")
        List<@Pattern(RULE_NAME) String> disabledRules) {

  /** A rule's name. The schema does not list the names, since Helm does not update a CRD. */
  private static final String RULE_NAME = "^[A-Z][A-Za-z0-9]{1,62}$";

  /** Applies the defaults. */
  public TuningSpec {
    mode = mode == null ? Mode.Auto : mode;
    window = window == null ? "10m" : window;
    warmUp = warmUp == null ? "2m" : warmUp;
    coolDown = coolDown == null ? "1h" : coolDown;
    changesPerDay = changesPerDay == null ? 4 : changesPerDay;
    shrinkBucketCache = shrinkBucketCache != null && shrinkBucketCache;
    disabledRules = disabledRules == null ? List.of() : List.copyOf(disabledRules);
  }

  /** The default. */
  public static TuningSpec ofDefaults() {
    return new TuningSpec(null, null, null, null, null, null, null);
  }

  /** How a proposed change is treated. */
  public enum Mode {
    Disabled,
    Recommend,
    Auto
  }
}
