package io.offheap.hbase.operator.declare;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.Optional;
import java.util.Set;

/**
 * How large a StatefulSet becomes by a pod template. The API server stores the template with its
 * defaults, and beside it a record of which fields a writer has set: the name of each field, and of
 * each entry of a list the fields that are its key. A template of many small entries, such as
 * ports, takes five times its own size by that.
 *
 * <p>The operator keeps no StatefulSet of over 384 KiB in memory as a whole, so that it would find
 * a difference, and write, in each reconciliation.
 */
final class PodTemplateSize {
  /** Bytes. The operator's own part of a StatefulSet takes far less than the remaining 64 KiB. */
  static final int MOST = 320 << 10;

  /** The fields that are keys of lists in a pod. */
  private static final Set<String> KEYS =
      Set.of(
          "containerPort",
          "devicePath",
          "ip",
          "mountPath",
          "name",
          "protocol",
          "topologyKey",
          "whenUnsatisfiable");

  /** Bytes in the record of a field, beside its name: {@code "f:":{},}. */
  private static final int FIELD = 8;

  /** The same of an entry of a list, beside its key: {@code "k:{}":{".":{}},}. */
  private static final int ENTRY = 16;

  /** The same of a field of a key: {@code \"\":,}. */
  private static final int KEY = 6;

  /** More than the API server's defaults and the record of an object, such as a port's protocol. */
  private static final int OBJECT = 64;

  /** The labels by which a topology constraint selects the pods, where it has no selector. */
  private static final int SELECTOR = 600;

  private PodTemplateSize() {}

  /** The problem of a template that is too large. */
  static Optional<PlanProblem> problem(String path, JsonNode template) {
    long size = of(template);
    return size <= MOST
        ? Optional.empty()
        : Optional.of(
            new PlanProblem(
                path,
                size
                    + " bytes in a StatefulSet, with the API server's record of each field; must be"
                    + " at most "
                    + MOST));
  }

  /** Bytes that it takes at most in a StatefulSet. */
  static long of(JsonNode template) {
    return bytes(template.toString()) + record(template);
  }

  private static long record(JsonNode node) {
    if (node.isObject()) {
      long sum = OBJECT;
      for (var field : node.properties()) {
        sum += bytes(field.getKey()) + FIELD + record(field.getValue());
      }
      return sum;
    }
    long sum = 0;
    for (JsonNode it : node) {
      sum += record(it) + (it.isObject() ? entry(it) : 0);
    }
    return sum;
  }

  private static long entry(JsonNode entry) {
    long sum = ENTRY;
    for (var field : entry.properties()) {
      if (KEYS.contains(field.getKey())) {
        // A text in the text that is the name of the entry's record.
        var inText = TextNode.valueOf(field.getValue().toString()).toString();
        sum += bytes(field.getKey()) + KEY + bytes(inText);
      }
    }
    return sum + (entry.has("topologyKey") && !entry.has("labelSelector") ? SELECTOR : 0);
  }

  private static long bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
