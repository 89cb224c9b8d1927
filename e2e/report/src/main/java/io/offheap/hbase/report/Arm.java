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
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Arm(
    Variant variant,
    Map<Figure, Double> figures,
    Map<Integer, Double> sweep,
    List<Point> eden,
    List<Double> slowestMillis) {

  /**
   * A point of a plot.
   *
   * @param second since the load began
   */
  public record Point(double second, double mib) {}

  Arm withoutPlots() {
    return new Arm(variant, figures, sweep, null, null);
  }
}
