package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The message by which Kubernetes refuses what exceeds a quota. */
final class Quotas {
  private static final JsonMapper JSON = new JsonMapper();

  private static final Pattern EXCEEDED =
      Pattern.compile(
          "exceeded quota: \\S+, requested: (?<requested>\\S+), used: (?<used>\\S+),"
              + " limited: (?<limited>\\S+)");

  private Quotas() {}

  /** Whether a message is that a quota is exceeded. */
  static boolean isExceeded(String message) {
    return EXCEEDED.matcher(message).find();
  }

  /**
   * Whether a refused pod would fit its quota if another pod's share was free.
   *
   * @param message the API server's message; the result is false if it is not about a quota
   * @param other the other pod, as JSON; a pod that cannot be parsed has no share
   */
  static boolean isRoomWithout(String message, String other) {
    var exceeded = EXCEEDED.matcher(message);
    if (!exceeded.find()) {
      return false;
    }
    try {
      var used = amounts(exceeded.group("used"));
      var limited = amounts(exceeded.group("limited"));
      var pod = JSON.readTree(other == null ? "" : other);
      return amounts(exceeded.group("requested")).entrySet().stream()
          .allMatch(
              it ->
                  used.get(it.getKey())
                          .subtract(share(pod, it.getKey()))
                          .add(it.getValue())
                          .compareTo(limited.get(it.getKey()))
                      <= 0);
    } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
      return false;
    }
  }

  /** {@code limits.cpu=1,pods=2}. */
  private static Map<String, BigDecimal> amounts(String text) {
    var amounts = new TreeMap<String, BigDecimal>();
    Arrays.stream(text.split(","))
        .map(it -> it.split("=", 2))
        .forEach(it -> amounts.put(it[0], amount(it[1])));
    return amounts;
  }

  private static BigDecimal amount(String quantity) {
    return Quantity.getAmountInBytes(Quantity.parse(quantity));
  }

  /** A pod's share of a quota. */
  private static BigDecimal share(JsonNode pod, String resource) {
    if (resource.equals("pods") || resource.equals("count/pods")) {
      return pod.has("spec") ? BigDecimal.ONE : BigDecimal.ZERO;
    }
    var kind = resource.startsWith("limits.") ? "limits" : "requests";
    var name = resource.replaceFirst("^(limits|requests)\\.", "");
    var spec = pod.path("spec");
    var sum = ofContainers(spec, kind, name);
    // Declared for the pod as a whole, it counts in place of what its containers declare.
    var whole = spec.path("resources").path(kind).has(name) ? amount(spec, kind, name) : sum;
    var overhead = spec.path("overhead").path(name);
    return overhead.isMissingNode() || (kind.equals("limits") && whole.signum() == 0)
        ? whole
        : whole.add(amount(overhead.asText()));
  }

  /**
   * The containers run at once, and beside them the init containers that do not end. An init
   * container that ends runs beside those of the latter that were started before it.
   */
  private static BigDecimal ofContainers(JsonNode spec, String kind, String name) {
    BigDecimal sidecars = BigDecimal.ZERO;
    BigDecimal first = BigDecimal.ZERO;
    for (JsonNode container : spec.path("initContainers")) {
      var one = amount(container, kind, name);
      first = first.max(sidecars.add(one));
      if (container.path("restartPolicy").asText().equals("Always")) {
        sidecars = sidecars.add(one);
      }
    }
    BigDecimal sum = sidecars;
    for (JsonNode container : spec.path("containers")) {
      sum = sum.add(amount(container, kind, name));
    }
    return sum.max(first);
  }

  private static BigDecimal amount(JsonNode container, String kind, String name) {
    var declared = container.path("resources").path(kind).path(name);
    return declared.isMissingNode() ? BigDecimal.ZERO : amount(declared.asText());
  }
}
