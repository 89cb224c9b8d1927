package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What one server showed.
 *
 * @param figures those that it has, in their order
 * @param sweep operations a second by number of threads; null where there is no sweep
 * @param eden occupied eden over time, for a plot; null unless it is kept
 * @param slowestMillis the slowest operation of each second, for a plot; null unless it is kept
 * @param failure why the server ended before its load did; null where it did not
 * @param conditions under which it was measured; null where they were not noted
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Arm(
    Variant variant,
    Map<Figure, Double> figures,
    Map<Integer, Double> sweep,
    List<Point> eden,
    List<Double> slowestMillis,
    String failure,
    Conditions conditions) {

  /** A server that did not end. */
  Arm(
      Variant variant,
      Map<Figure, Double> figures,
      Map<Integer, Double> sweep,
      List<Point> eden,
      List<Double> slowestMillis) {
    this(variant, figures, sweep, eden, slowestMillis, null, null);
  }

  /**
   * A point of a plot.
   *
   * @param second since the load began
   */
  public record Point(double second, double mib) {}

  /**
   * What else the machine did, and how warm the server was.
   *
   * @param foreignPercent of all processors' time that other processes used
   * @param stealPercent of it that the hypervisor took
   * @param load1 the machine's load at the end
   * @param attempt how often the round was measured until it was left alone
   * @param warmUpSeconds that the load took before
   * @param quiet whether the compilers were at the end of that
   * @param groupPeakMib the most that was charged to the server's control group, page cache too
   * @param step the change that the operator's tuning made for it; null where it has none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Conditions(
      double foreignPercent,
      double stealPercent,
      double load1,
      int attempt,
      double warmUpSeconds,
      boolean quiet,
      double groupPeakMib,
      String step) {}

  /** Whether the server ended before its load did, as one without memory does. */
  boolean hasEnded() {
    return failure != null || figures.getOrDefault(Figure.OUT_OF_MEMORY, 0.0) > 0;
  }

  Arm withoutPlots() {
    return new Arm(variant, figures, sweep, null, null, failure, conditions);
  }
}
