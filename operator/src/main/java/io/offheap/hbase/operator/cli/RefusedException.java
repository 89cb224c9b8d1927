package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Texts;
import java.util.List;
import java.util.stream.Collectors;

/** The input of a tool is refused; each problem names what to change. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 500;

  private final String refused;
  private final transient List<PlanProblem> problems;

  /**
   * Refuses an input with these problems.
   *
   * @param refused the file or argument
   */
  RefusedException(String refused, List<PlanProblem> problems) {
    super(Texts.shown(refused, LONGEST));
    this.refused = getMessage();
    this.problems = List.copyOf(problems);
  }

  RefusedException(String refused, String field, String message) {
    this(refused, List.of(new PlanProblem(field, message)));
  }

  /**
   * The document of the refusal.
   *
   * @param refused the file or argument
   * @param problems its problems
   */
  record Document(String refused, List<Problem> problems) {}

  /**
   * A problem for programs.
   *
   * @param field path of the field to change
   * @param message the value, the problem and what it must be
   */
  record Problem(String field, String message) {}

  /** The problems; never empty. */
  public List<PlanProblem> problems() {
    return problems;
  }

  Document document() {
    return new Document(
        refused, problems.stream().map(it -> new Problem(it.field(), it.message())).toList());
  }

  /** The text of the refusal. */
  String text() {
    return problems.stream()
        .map(problem -> "  " + problem + "\n")
        .collect(Collectors.joining("", refused + " is refused:\n", ""));
  }
}
