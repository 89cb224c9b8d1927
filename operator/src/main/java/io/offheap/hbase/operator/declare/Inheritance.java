package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.JvmOption;
import java.util.HashSet;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Merges what a group of region servers declares with what it inherits, as JSON: objects field by
 * field, every other value as a whole. So {@code config} is merged key by key, and a field that is
 * added to {@link RegionServersSpec} is inherited without a line here. The exceptions:
 *
 * <ul>
 *   <li>{@code replicas} is not inherited: it is the group's own size.
 *   <li>{@code resources.requests.cpu} is not inherited by a group that declares {@code
 *       resources.limits.cpu}: it was meant for another limit.
 *   <li>{@code memory} is taken as a whole: heap and off-heap on the one hand and a limit on the
 *       other declare the same in two ways.
 *   <li>{@code blockCache} is taken as a whole where the modes differ: what sizes one mode is wrong
 *       in another. {@code blockCache.file} is always taken as a whole: its folder is where its own
 *       volume is mounted.
 *   <li>{@code jvmOptions} is merged option by option.
 *   <li>{@code podTemplate} is merged by {@link PodTemplateMerge}.
 * </ul>
 */
final class Inheritance {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REPLICAS = "replicas";
  private static final String MODE = "mode";

  /** Merges of the fields that are exceptions, by path. */
  private static final Map<String, BinaryOperator<JsonNode>> EXCEPTIONS =
      Map.of(
          "/memory", Inheritance::whole,
          "/resources", Inheritance::resources,
          "/blockCache", Inheritance::blockCache,
          "/blockCache/file", Inheritance::whole,
          "/jvmOptions", Inheritance::jvmOptions,
          "/podTemplate", PodTemplateMerge::over);

  private Inheritance() {}

  /** The fields of a group that another group may inherit. */
  static RegionServersSpec inherited(RegionServersSpec group) {
    var tree = tree(group);
    tree.remove(REPLICAS);
    return servers(tree);
  }

  /** The fields of a group, and those of a base that the group does not declare. */
  static RegionServersSpec over(RegionServersSpec own, RegionServersSpec base) {
    var ownTree = tree(own);
    var baseTree = tree(base);
    return servers(fields("", ownTree, baseTree));
  }

  private static JsonNode merged(String path, JsonNode own, JsonNode base) {
    var exception = EXCEPTIONS.get(path);
    if (exception != null) {
      return exception.apply(own, base);
    }
    return own.isObject() && base.isObject() ? fields(path, own, base) : own;
  }

  private static ObjectNode fields(String path, JsonNode own, JsonNode base) {
    ObjectNode result = base.deepCopy();
    own.properties()
        .forEach(
            field ->
                result.set(
                    field.getKey(),
                    base.has(field.getKey())
                        ? merged(
                            path + "/" + field.getKey(), field.getValue(), base.get(field.getKey()))
                        : field.getValue()));
    return result;
  }

  private static JsonNode whole(JsonNode own, JsonNode base) {
    return own;
  }

  private static JsonNode blockCache(JsonNode own, JsonNode base) {
    return own.has(MODE) && base.has(MODE) && !own.get(MODE).equals(base.get(MODE))
        ? own
        : fields("/blockCache", own, base);
  }

  private static JsonNode resources(JsonNode own, JsonNode base) {
    var result = fields("/resources", own, base);
    if (!own.at("/limits/cpu").isMissingNode()
        && own.at("/requests/cpu").isMissingNode()
        && result.get("requests") instanceof ObjectNode requests) {
      requests.remove("cpu");
    }
    return result;
  }

  /** An option that a list repeats stays repeated, so that the planner refuses it. */
  private static ArrayNode jvmOptions(JsonNode own, JsonNode base) {
    var names = new HashSet<String>();
    own.forEach(option -> names.add(JvmOption.nameOf(option.asText())));
    var result = JSON.createArrayNode();
    base.forEach(
        option -> {
          if (!names.contains(JvmOption.nameOf(option.asText()))) {
            result.add(option);
          }
        });
    own.forEach(result::add);
    return result;
  }

  private static ObjectNode tree(RegionServersSpec servers) {
    return JSON.valueToTree(servers);
  }

  private static RegionServersSpec servers(ObjectNode tree) {
    try {
      return JSON.treeToValue(tree, RegionServersSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("fields that were parsed before cannot be parsed again", e);
    }
  }
}
