package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.declare.UnreadableSpec;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a resource that may have values which this version of the operator cannot read: a value
 * that only a later version knows, or a status that its namespace's users have written. The API
 * server accepts both, and the operator lists all resources at once, so one of them must not make
 * the list unreadable.
 *
 * <ul>
 *   <li>Of the spec, the value is left out, and the resource is marked, so that it is refused
 *       ({@link UnreadableSpec}).
 *   <li>Of the status, the field with the value is left out, and logged: what it had is observed or
 *       recalled as where a person has removed it.
 * </ul>
 */
final class UnreadableValues {
  /** Each takes another attempt; after so many, a whole field of the spec is left out. */
  private static final int MOST = 16;

  private static final int LONGEST = 60;

  /** Any writer of a status can have fields logged. */
  private static final int MOST_LOGGED = 100;

  private static final Logger LOG = LoggerFactory.getLogger(UnreadableValues.class);

  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /** Reads a whole object. */
  interface Reader {
    /**
     * Reads it.
     *
     * @throws JsonMappingException with the path of a value that cannot be read
     */
    Object read(JsonNode tree) throws IOException;
  }

  /**
   * Reads a resource.
   *
   * @param resource from which values that cannot be read are removed
   * @throws IOException if it cannot be read for another reason than its spec and its status
   */
  Object read(JsonNode resource, Reader reader) throws IOException {
    var refused = new ArrayList<PlanProblem>();
    while (true) {
      try {
        var read = reader.read(resource);
        if (!refused.isEmpty() && read instanceof HasMetadata cluster) {
          UnreadableSpec.mark(cluster.getMetadata(), refused);
        }
        return read;
      } catch (JsonMappingException e) {
        if (!isRemoved(resource, e, refused)) {
          throw e;
        }
      }
    }
  }

  private boolean isRemoved(
      JsonNode resource, JsonMappingException failure, List<PlanProblem> refused) {
    var path = failure.getPath();
    if (path.isEmpty()) {
      return false;
    }
    var part = path.get(0).getFieldName();
    if ("status".equals(part)) {
      var field = path.subList(0, Math.min(2, path.size()));
      log(resource.path("metadata"), text(field));
      return remove(resource, field) != null;
    }
    if (!"spec".equals(part)) {
      return false;
    }
    var field = refused.size() < MOST ? path : path.subList(0, Math.min(2, path.size()));
    var value = remove(resource, field);
    if (value == null) {
      return false;
    }
    if (refused.size() < MOST) {
      refused.add(
          new PlanProblem(
              text(field),
              shown(value)
                  + " cannot be read; must be a value that this version of the operator accepts"));
    }
    return true;
  }

  /** An object may be as deep as the API server permits. */
  private static String shown(JsonNode value) {
    if (value.isContainerNode()) {
      return value.isArray() ? "a list" : "an object";
    }
    return value.isTextual()
        ? "\"" + Texts.cut(value.textValue(), LONGEST) + "\""
        : Texts.cut(value.asText(), LONGEST);
  }

  private void log(JsonNode metadata, String field) {
    var namespace = metadata.path("namespace").asText();
    var name = metadata.path("name").asText();
    if (logged.size() < MOST_LOGGED && logged.add(namespace + "/" + name + " " + field)) {
      LOG.warn(
          "{}",
          LogLine.of("FieldIgnored")
              .cluster(namespace, name)
              .with("field", field)
              .with("note", "this version of the operator cannot read it"));
    }
  }

  /** The removed value; null where there is none. A spec or status is left empty. */
  private static JsonNode remove(JsonNode resource, List<Reference> path) {
    if (path.size() == 1) {
      var whole = resource.path(path.get(0).getFieldName());
      boolean isEmpty = whole.isObject() && whole.isEmpty();
      return !isEmpty && resource instanceof ObjectNode object
          ? object.replace(path.get(0).getFieldName(), object.objectNode())
          : null;
    }
    var parent = resource;
    for (Reference step : path.subList(0, path.size() - 1)) {
      parent =
          step.getFieldName() == null
              ? parent.path(step.getIndex())
              : parent.path(step.getFieldName());
    }
    var last = path.get(path.size() - 1);
    if (parent instanceof ObjectNode object && last.getFieldName() != null) {
      return object.remove(last.getFieldName());
    }
    return parent instanceof ArrayNode array ? array.remove(last.getIndex()) : null;
  }

  private static String text(List<Reference> path) {
    var text = new StringBuilder();
    for (Reference step : path) {
      if (step.getFieldName() == null) {
        text.append('[').append(step.getIndex()).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return text.toString();
  }
}
