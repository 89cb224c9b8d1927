package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Merges two pod templates, as JSON: objects field by field, containers by name, environment and
 * volumes by name, mounts by path, every other value and every other list as a whole.
 *
 * <p>A container is merged with the one of the same name. A variable, a volume or a mount replaces
 * the one of the same name or path, since two sources in one entry are invalid. Entries of the base
 * come first, in their order, so that a variable follows those that it refers to.
 */
public final class PodTemplateMerge {
  private static final String NAME = "name";

  /** Lists whose entries are merged, by the path without indices, and the field that is the key. */
  private static final Map<String, String> KEYS =
      Map.of(
          "/spec/containers", NAME,
          "/spec/initContainers", NAME,
          "/spec/volumes", NAME,
          "/spec/containers/env", NAME,
          "/spec/initContainers/env", NAME,
          "/spec/containers/volumeMounts", "mountPath",
          "/spec/initContainers/volumeMounts", "mountPath");

  private PodTemplateMerge() {}

  /**
   * A template merged over a base. A value that is not an object, which is refused elsewhere,
   * replaces the base.
   */
  public static JsonNode over(JsonNode own, JsonNode base) {
    return merged("", own, base);
  }

  private static JsonNode merged(String path, JsonNode own, JsonNode base) {
    if (own.isObject() && base.isObject()) {
      return fields(path, own, base);
    }
    var key = KEYS.get(path);
    return key != null && own.isArray() && base.isArray() ? items(path, key, own, base) : own;
  }

  private static ObjectNode fields(String path, JsonNode own, JsonNode base) {
    ObjectNode result = base.deepCopy();
    own.properties()
        .forEach(
            field -> {
              var before = base.get(field.getKey());
              result.set(
                  field.getKey(),
                  before == null
                      ? field.getValue()
                      : merged(path + "/" + field.getKey(), field.getValue(), before));
            });
    return result;
  }

  /** An entry that a list repeats stays repeated, so that it is refused. */
  private static ArrayNode items(String path, String key, JsonNode own, JsonNode base) {
    boolean isContainer = path.endsWith("ontainers");
    var merged = new LinkedHashMap<String, JsonNode>();
    int number = 0;
    for (JsonNode entry : base) {
      merged.put(entry.path(key).asText("#" + number++), entry);
    }
    var seen = new HashSet<String>();
    for (JsonNode entry : own) {
      var name = entry.path(key).asText("#" + number++);
      if (!seen.add(name)) {
        merged.put("#" + number++, entry);
      } else {
        var before = merged.get(name);
        merged.put(
            name,
            isContainer && before != null && before.isObject() && entry.isObject()
                ? fields(path, entry, before)
                : entry);
      }
    }
    var result = ((ArrayNode) own).arrayNode();
    merged.values().forEach(result::add);
    return result;
  }
}
