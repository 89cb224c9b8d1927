package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Fields of the spec that were renamed before the first release. Another name of a field is no
 * other declaration, so what is hashed has the former names: pods that were started before continue
 * to have the hash of what is declared, and are not restarted.
 *
 * <p>{@code storage.managedHdfs} is {@code storage.managed}. A spec that the version before keeps
 * in a status or in the config map {@code NAME-remembered} has that former name too. The other
 * fields are converted by {@code crds/convert-v1alpha1}, and have here the form that it reads:
 * {@code cores} and {@code cpuRequest}, {@code survivorSize}, fractions as numbers, {@code
 * storageClass}, and names in place of objects with a name.
 */
public final class FormerNames {
  private static final String STORAGE = "storage";
  private static final String FORMER = "managedHdfs";
  private static final String PRESENT = "managed";
  private static final String CPU = "cpu";

  /** What a whole number of CPUs was, and what a fraction was. */
  private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,17}");

  private static final Pattern DECIMAL = Pattern.compile("\\d(\\.\\d{1,15})?");

  private FormerNames() {}

  /** Gives a spec of either form the present names. */
  static void replaceIn(ObjectNode spec) {
    rename(spec.path(STORAGE), FORMER, PRESENT);
  }

  /** Gives a spec the name of {@code storage.managed} that fingerprints have. */
  public static void restoreIn(ObjectNode spec) {
    rename(spec.path(STORAGE), PRESENT, FORMER);
  }

  /** Gives {@code spec.storage} the names that hashes of pods have. */
  public static void restoreInStorage(JsonNode storage) {
    restoreInVolume(storage.path(PRESENT));
    rename(storage, PRESENT, FORMER);
    if (storage.path("external") instanceof ObjectNode external && external.has("configMapRefs")) {
      var names = external.arrayNode();
      external.path("configMapRefs").forEach(it -> names.add(it.path("name")));
      external.set("configMapRefs", names);
    }
  }

  /** The same for {@code spec.zookeeper}. */
  public static void restoreInZooKeeper(JsonNode zookeeper) {
    restoreInVolume(zookeeper.path(PRESENT));
  }

  /** The same for the region servers of a group. */
  public static void restoreInServers(ObjectNode servers) {
    var before = new LinkedHashMap<String, JsonNode>();
    servers.properties().forEach(it -> before.put(it.getKey(), it.getValue()));
    // Anew, so that each field has the place that it had.
    servers.removeAll();
    before.forEach(
        (name, value) -> {
          switch (name) {
            case "resources" -> restoreResources(value, servers);
            case "memstoreFraction" -> servers.set(name, fraction(value));
            case "g1" ->
                servers.setAll(
                    value.has("survivorSize")
                        ? Map.of("survivorSize", value.get("survivorSize"))
                        : Map.of(name, value));
            default -> servers.set(name, value);
          }
        });
    if (servers.path("blockCache") instanceof ObjectNode cache) {
      if (cache.has("l1Fraction")) {
        cache.set("l1Fraction", fraction(cache.get("l1Fraction")));
      }
      restoreInVolume(cache.path("file"));
    }
  }

  /** CPUs alone, which were all that could be declared. */
  private static void restoreResources(JsonNode resources, ObjectNode servers) {
    var limit = resources.path("limits").path(CPU);
    var request = resources.path("requests").path(CPU);
    boolean isAsBefore =
        isCpuAlone(resources.path("limits"))
            && isCpuAlone(resources.path("requests"))
            && (limit.isMissingNode() || WHOLE.matcher(limit.asText()).matches());
    if (!isAsBefore) {
      servers.set("resources", resources);
      return;
    }
    if (!limit.isMissingNode()) {
      servers.set("cores", LongNode.valueOf(Long.parseLong(limit.asText())));
    }
    if (!request.isMissingNode()) {
      servers.set("cpuRequest", request);
    }
  }

  private static boolean isCpuAlone(JsonNode amounts) {
    return amounts.isMissingNode() || (amounts.size() == 1 && amounts.has(CPU));
  }

  private static JsonNode fraction(JsonNode quantity) {
    return DECIMAL.matcher(quantity.asText()).matches()
        ? DoubleNode.valueOf(Double.parseDouble(quantity.asText()))
        : quantity;
  }

  private static void restoreInVolume(JsonNode parent) {
    rename(parent.path(STORAGE), "storageClassName", "storageClass");
  }

  /** At its place. */
  private static void rename(JsonNode parent, String from, String to) {
    if (parent instanceof ObjectNode fields && fields.has(from) && !fields.has(to)) {
      var before = new LinkedHashMap<String, JsonNode>();
      fields
          .properties()
          .forEach(it -> before.put(it.getKey().equals(from) ? to : it.getKey(), it.getValue()));
      fields.removeAll();
      fields.setAll(before);
    }
  }
}
