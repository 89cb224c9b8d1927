package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A mark of a resource of whose spec not all was read: what is left of it must not be applied. It
 * is an annotation, since a resource in memory is copied by its fields; it is never written.
 */
public final class UnreadableSpec {
  private static final String MARK = "hbase.offheap.io/unreadable-spec";

  /**
   * Characters of the mark. The operator's client drops longer annotations from each copy, and with
   * the mark the refusal.
   */
  static final int LONGEST = 1000;

  private static final int LONGEST_LINE = 250;

  private static final String SEPARATOR = ": ";

  private UnreadableSpec() {}

  /** Marks a resource with what could not be read. */
  public static void mark(ObjectMeta metadata, List<PlanProblem> problems) {
    var annotations = new LinkedHashMap<String, String>();
    Optional.ofNullable(metadata.getAnnotations()).ifPresent(annotations::putAll);
    var mark = new StringBuilder();
    for (PlanProblem problem : problems) {
      var line = Texts.cut(problem.toString(), LONGEST_LINE);
      if (mark.length() + line.length() < LONGEST) {
        mark.append(mark.isEmpty() ? "" : "\n").append(line);
      }
    }
    annotations.put(MARK, mark.toString());
    metadata.setAnnotations(annotations);
  }

  /** What could not be read of a resource; nothing where it has no mark. */
  static List<PlanProblem> problems(ObjectMeta metadata) {
    return Optional.ofNullable(metadata.getAnnotations()).map(it -> it.get(MARK)).stream()
        .flatMap(String::lines)
        .map(UnreadableSpec::problem)
        .toList();
  }

  private static PlanProblem problem(String line) {
    int end = line.indexOf(SEPARATOR);
    return end < 0
        ? new PlanProblem("spec", line)
        : new PlanProblem(line.substring(0, end), line.substring(end + SEPARATOR.length()));
  }
}
