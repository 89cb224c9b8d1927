package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** CPU and ephemeral storage of a container, as Kubernetes has them; not memory. */
// Only cheap rules: the API server limits the cost of all rules for every possible group. The
// operator refuses the rest, a request over its limit and an ephemeral-storage of 0.
@ValidationRule(
    value =
        "!has(self.limits) || !has(self.limits.cpu) || [string(self.limits.cpu)].all(it,"
            + " isQuantity(it) && quantity(it).isGreaterThan(quantity('0')) &&"
            + " quantity(it).compareTo(quantity('1024')) <= 0)",
    fieldPath = ".limits.cpu",
    messageExpression =
        "'resources.limits.cpu is ' + string(self.limits.cpu) + '; must be over 0 and at most"
            + " 1024'",
    message = "resources.limits.cpu must be over 0 and up to 1024")
@ValidationRule(
    value =
        "!has(self.requests) || !has(self.requests.cpu) || [string(self.requests.cpu)].all(it,"
            + " isQuantity(it) && quantity(it).isGreaterThan(quantity('0')))",
    fieldPath = ".requests.cpu",
    messageExpression =
        "'resources.requests.cpu is ' + string(self.requests.cpu) + '; must be a quantity over 0,"
            + " for example 500m'",
    message = "resources.requests.cpu must be a quantity over 0")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourcesSpec(
    @JsonPropertyDescription("What the scheduler sets aside for each region server.")
        Amounts requests,
    @JsonPropertyDescription(
            "What each region server may use at most. The GC threads follow from limits.cpu,"
                + " rounded up to whole CPUs as the JVM does.")
        Amounts limits) {

  /** Amounts of a container's resources. */
  @ValidationRule(value = "!has(self.memory)", fieldPath = ".memory", message = Amounts.MEMORY)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Amounts(
      @JsonPropertyDescription(
              "CPUs. The request is the limit where left out, and must not be over it.")
          Quantity cpu,
      @JsonProperty(Amounts.EPHEMERAL_STORAGE)
          @JsonPropertyDescription(
              "The node's own disk, for logs and for what is written beside the volumes; none is"
                  + " declared where left out. A cache file without a volume is not part of it.")
          Quantity ephemeralStorage,
      @JsonPropertyDescription("Must be left out: the plan derives the container's memory.")
          Quantity memory) {
    /** No amounts. */
    public static final Amounts NONE = new Amounts(null, null, null);

    /** Kubernetes' name of the node's disk. */
    public static final String EPHEMERAL_STORAGE = "ephemeral-storage";

    /** Why memory is refused here, and what to declare. */
    public static final String MEMORY =
        "resources must not have memory: the plan derives the container's memory from"
            + " spec.regionServers.memory; declare it there, with a limit where you need one";
  }
}
