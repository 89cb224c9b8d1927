package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A field of a resource and its new value: {@code spec.regionServers.memory.heap=20Gi}. A number in
 * brackets is an index of a list, and the index after the last adds an entry; a name in brackets is
 * an entry of a map with free names, such as {@code spec.regionServers.config[hbase.foo]}, and its
 * value is a text. Without a value the field is left out.
 */
final class Assignment {
  private static final String EXAMPLE = "for example spec.regionServers.memory.heap=20Gi";
  private static final Pattern STEP = Pattern.compile("\\.?([A-Za-z]\\w*)|\\[([^\\[\\]]+)]");
  private static final Pattern INDEX = Pattern.compile("\\d{1,4}");

  /** No field needs more, and the YAML parser is slow with more. */
  private static final int LONGEST = 65_536;

  /** Bounds recursion; the deepest field has six. */
  private static final int MOST_STEPS = 32;

  private final String text;
  private final List<Step> steps;
  private final JsonNode value;

  private Assignment(String text, List<Step> steps, JsonNode value) {
    this.text = text;
    this.steps = List.copyOf(steps);
    this.value = value;
  }

  /** One part of a path: the name of a field or an entry, or an index of a list. */
  private record Step(String name, boolean entry) {
    boolean isIndex() {
      return entry && INDEX.matcher(name).matches();
    }
  }

  /**
   * Reads an assignment.
   *
   * @throws RefusedException if it has no path or no value, or if the value is not YAML
   */
  static Assignment parse(String text) throws RefusedException {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw refused(text, "must have a value, " + EXAMPLE);
    }
    return of(text.substring(0, equals), text.substring(equals + 1));
  }

  /**
   * The assignment of a value, as YAML, to a field.
   *
   * @throws RefusedException as {@link #parse} does
   */
  static Assignment of(String field, String value) throws RefusedException {
    var text = field + "=" + value;
    if (text.length() > LONGEST) {
      throw refused(
          text,
          "has " + text.length() + " characters; must have at most " + LONGEST + ", " + EXAMPLE);
    }
    var steps = steps(field, text);
    var last = steps.get(steps.size() - 1);
    boolean textEntry = last.entry() && !last.isIndex();
    if (textEntry && !value.isEmpty()) {
      return new Assignment(text, steps, JsonNodeFactory.instance.textNode(value));
    }
    try {
      var node = StrictYaml.MAPPER.readTree(value);
      return new Assignment(
          text,
          steps,
          node == null || node.isMissingNode() ? JsonNodeFactory.instance.nullNode() : node);
    } catch (JsonProcessingException e) {
      throw refused(text, "has a value that is not YAML: " + e.getOriginalMessage());
    }
  }

  private static List<Step> steps(String path, String text) throws RefusedException {
    var steps = new ArrayList<Step>();
    var match = STEP.matcher(path);
    int end = 0;
    while (end < path.length() && match.find(end) && match.start() == end) {
      boolean entry = match.group(2) != null;
      steps.add(new Step(entry ? match.group(2) : match.group(1), entry));
      end = match.end();
    }
    if (steps.size() > MOST_STEPS) {
      throw refused(
          text, "has " + steps.size() + " steps, more than any field; must be a path, " + EXAMPLE);
    }
    if (end < path.length() || steps.size() < 2 || !path.startsWith("spec.")) {
      throw refused(text, "must be the path of a field under spec, " + EXAMPLE);
    }
    return steps;
  }

  /**
   * A copy of a document with the value at the path, and with the maps and lists on the path.
   *
   * @throws RefusedException if the path leads through something else
   */
  JsonNode applyTo(JsonNode document) throws RefusedException {
    return set(document.deepCopy(), 0);
  }

  private JsonNode set(JsonNode node, int depth) throws RefusedException {
    if (depth == steps.size()) {
      return value;
    }
    var step = steps.get(depth);
    boolean absent = node == null || node.isNull();
    if (step.isIndex()) {
      return setIn(absent ? JsonNodeFactory.instance.arrayNode() : node, step, depth);
    }
    if (absent) {
      return setField(JsonNodeFactory.instance.objectNode(), step.name(), depth);
    }
    if (node instanceof ObjectNode map) {
      return setField(map, step.name(), depth);
    }
    throw refused(text, path(depth) + " is not a map, and has no " + step.name());
  }

  private JsonNode setField(ObjectNode map, String name, int depth) throws RefusedException {
    var changed = set(map.get(name), depth + 1);
    if (changed.isNull()) {
      map.remove(name);
    } else {
      map.set(name, changed);
    }
    return map;
  }

  private JsonNode setIn(JsonNode node, Step step, int depth) throws RefusedException {
    int index = Integer.parseInt(step.name());
    if (!(node instanceof ArrayNode list)) {
      throw refused(text, path(depth) + " is not a list, and has no [" + index + "]");
    }
    if (index > list.size()) {
      throw refused(
          text,
          String.format("%s has %d entries; [%d] adds one", path(depth), list.size(), list.size()));
    }
    var changed = set(list.get(index), depth + 1);
    if (index == list.size()) {
      list.add(changed);
    } else if (changed.isNull()) {
      list.remove(index);
    } else {
      list.set(index, changed);
    }
    return list;
  }

  private String path(int length) {
    var path = new StringBuilder();
    for (Step step : steps.subList(0, length)) {
      if (step.entry()) {
        path.append('[').append(step.name()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.name());
      }
    }
    return path.toString();
  }

  private static RefusedException refused(String text, String message) {
    return new RefusedException("--set", "'" + text + "'", message);
  }

  @Override
  public String toString() {
    return text;
  }
}
