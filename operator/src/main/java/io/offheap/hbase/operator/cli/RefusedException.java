package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Texts;
import java.util.List;
import java.util.stream.Collectors;

/** What a tool was given is wrong; each problem names what to change. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 500;

  private final String refused;
  private final transient List<PlanProblem> problems;

  /**
   * Refuses something for all of these reasons.
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
   * The refusal for programs.
   *
   * @param refused the file or argument
   * @param problems what is wrong with it
   */
  record Document(String refused, List<Problem> problems) {}

  /**
   * A problem for programs.
   *
   * @param field path of the field to change
   * @param message the value, what is wrong with it and what it must be
   */
  record Problem(String field, String message) {}

  /** What is wrong; never empty. */
  public List<PlanProblem> problems() {
    return problems;
  }

  Document document() {
    return new Document(
        refused, problems.stream().map(it -> new Problem(it.field(), it.message())).toList());
  }

  /** The refusal for people. */
  String text() {
    return problems.stream()
        .map(problem -> "  " + problem + "\n")
        .collect(Collectors.joining("", refused + " is refused:\n", ""));
  }
}
