package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Collects the problems of one pod template, in the order in which they are found, and has the
 * checks that its rules share. Fields are named from the template on; entries of lists by their
 * key.
 */
final class TemplateProblems {
  /** Key of containers, volumes and environment variables. */
  static final String NAME = "name";

  private final PodRights rights;
  private final List<PlanProblem> problems = new ArrayList<>();

  TemplateProblems(PodRights rights) {
    this.rights = rights;
  }

  List<PlanProblem> list() {
    return List.copyOf(problems);
  }

  void refuse(String field, String message) {
    problems.add(new PlanProblem(field, message));
  }

  /** Refuses what the operator's settings do not permit; {@code subject} begins the message. */
  void require(PodRight right, String field, String subject) {
    if (!rights.has(right)) {
      refuse(
          field,
          subject
              + "; must be left out, unless podTemplateRights of the operator's chart has "
              + right.name());
    }
  }

  /** Refuses an image from a repository that the operator's settings do not permit. */
  void requirePermitted(String field, String image) {
    if (!rights.permitsImage(image)) {
      refuse(
          field,
          image
              + " is not permitted; must be of "
              + rights.repositories().stream().sorted().collect(Collectors.joining(", "))
              + ", the chart's allowedImages and hbaseImage");
    }
  }

  /**
   * Refuses fields of an object that are not listed.
   *
   * @param reasons why some of the others are refused, by name
   */
  void permitOnly(Set<String> names, String path, JsonNode object, Map<String, String> reasons) {
    for (var field : object.properties()) {
      if (!names.contains(field.getKey())) {
        var reason = reasons.get(field.getKey());
        refuse(
            path + "." + field.getKey(),
            "is not permitted"
                + (reason == null ? "" : ": " + reason)
                + "; must be left out. Permitted here: "
                + names.stream().sorted().collect(Collectors.joining(", ")));
      }
    }
  }

  /** The entries of a list by their key; an entry without key or with one in use is refused. */
  Map<String, JsonNode> byKey(String path, JsonNode list, String key) {
    var entries = new LinkedHashMap<String, JsonNode>();
    var repeated = new HashSet<String>();
    int index = 0;
    for (JsonNode entry : list) {
      var name = entry.path(key).asText();
      if (name.isEmpty()) {
        refuse(
            path + "[" + index + "]." + key,
            "is missing; must be set, since entries are merged by " + key);
      } else if (entries.putIfAbsent(name, entry) != null && repeated.add(name)) {
        refuse(path + "[" + name + "]", "is declared twice; must be declared once");
      }
      index++;
    }
    return entries;
  }

  void atMost(int limit, String path, JsonNode list) {
    if (list.size() > limit) {
      refuse(path, "has " + list.size() + " entries; must have at most " + limit);
    }
  }
}
