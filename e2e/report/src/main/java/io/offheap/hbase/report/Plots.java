package io.offheap.hbase.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.descriptive.Median;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The plots of a unit, as PNG: XChart's SVG has each letter as an outline, which is ten times the
 * bytes and depends on the fonts as well.
 */
final class Plots {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 360;
  // YCSB's clock has microseconds.
  private static final double LEAST_MILLIS = 0.001;
  private static final List<Figure> LATENCIES =
      List.of(Figure.P50_MILLIS, Figure.P95_MILLIS, Figure.P99_MILLIS, Figure.P999_MILLIS);

  private Plots() {}

  /**
   * A plot.
   *
   * @param file its name in the folder of the plots
   */
  record Plot(String file, String title, Chart<?, ?> chart) {}

  /** Returns those that the results have data for. */
  static List<Plot> of(Unit unit, Results results) {
    var plots = new ArrayList<Plot>();
    var latency = latency(unit, results);
    if (!latency.getSeriesMap().isEmpty()) {
      plots.add(
          new Plot(unit.name() + "-latency.png", "Latency at the fixed rate, medians", latency));
    }
    var sweep = sweep(unit, results);
    if (!sweep.getSeriesMap().isEmpty()) {
      plots.add(new Plot(unit.name() + "-sweep.png", "Throughput by threads, medians", sweep));
    }
    var eden = eden(results);
    if (!eden.getSeriesMap().isEmpty()) {
      plots.add(new Plot(unit.name() + "-eden.png", "Eden before each collection", eden));
    }
    var slowest = slowest(results);
    if (!slowest.getSeriesMap().isEmpty()) {
      plots.add(new Plot(unit.name() + "-slowest.png", "Slowest operation of a second", slowest));
    }
    return plots;
  }

  static void write(Unit unit, Results results, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(folder);
    for (Plot plot : of(unit, results)) {
      try (var out = Files.newOutputStream(folder.resolve(plot.file()))) {
        BitmapEncoder.saveBitmap(plot.chart(), out, BitmapFormat.PNG);
      }
    }
  }

  /** Writes a grid. */
  static void write(Grid grid, Map<Unit, Results> results, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(folder);
    var charts = grid(grid, results);
    BitmapEncoder.saveBitmap(
        charts,
        grid.figures().size(),
        charts.size() / grid.figures().size(),
        folder.resolve(grid.name()).toString(),
        BitmapFormat.PNG);
  }

  /** The charts row by row. Those of a row have the same scale, or they could not be compared. */
  static List<XYChart> grid(Grid grid, Map<Unit, Results> results) {
    var variants = results.keySet().iterator().next().variants();
    var charts = new ArrayList<XYChart>();
    for (List<Figure> row : grid.figures()) {
      double highest = 0;
      var ofRow = new ArrayList<XYChart>();
      for (Variant variant : variants) {
        var chart =
            new XYChartBuilder()
                .width(WIDTH / 2)
                .height(HEIGHT * 2 / 3)
                .title(variant.letter())
                .build();
        style(chart.getStyler(), grid.labels());
        for (Figure figure : row) {
          var points = new ArrayList<Integer>();
          var medians = new ArrayList<Double>();
          int point = 0;
          for (Results ofUnit : results.values()) {
            point++;
            double[] values = ofUnit.values(figure, variant);
            if (values.length > 0) {
              points.add(point);
              medians.add(Median.withDefaults().evaluate(values));
            }
          }
          if (!medians.isEmpty()) {
            chart.addSeries(figure.label(), points, medians).setMarker(SeriesMarkers.CIRCLE);
            highest = Math.max(highest, medians.stream().mapToDouble(it -> it).max().orElse(0));
          }
        }
        if (chart.getSeriesMap().isEmpty()) {
          // As without data blocks in a cache. A chart needs a series.
          chart.addSeries("no value", List.of(1), List.of(0.0)).setMarker(SeriesMarkers.NONE);
        }
        ofRow.add(chart);
      }
      double top = highest > 0 ? 1.05 * highest : 1;
      ofRow.forEach(chart -> chart.getStyler().setYAxisMin(0.0).setYAxisMax(top));
      charts.addAll(ofRow);
    }
    return charts;
  }

  /** The legend below, so that it takes none of the width of a plot. */
  private static void style(XYStyler styler, List<String> labels) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLegendPosition(LegendPosition.OutsideS).setLegendLayout(LegendLayout.Horizontal);
    styler
        .setXAxisMin(0.5)
        .setXAxisMax(labels.size() + 0.5)
        .setXAxisTickMarkSpacingHint(WIDTH / 2 / (labels.size() + 1))
        .setxAxisTickLabelsFormattingFunction(point -> label(labels, point));
  }

  private static String label(List<String> labels, double point) {
    // XChart leaves out ticks until no two labels are equal.
    return point == Math.rint(point) && point >= 1 && point <= labels.size()
        ? labels.get((int) point - 1)
        : " ".repeat((int) Math.round(1 + 10 * Math.abs(point)));
  }

  /** Of the first round; the others are in the table. */
  private static XYChart slowest(Results results) {
    var chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Slowest operation of each second")
            .xAxisTitle("s")
            .yAxisTitle("ms")
            .build();
    chart.getStyler().setYAxisMin(0.0);
    for (Round round : results.rounds()) {
      for (Arm arm : round.arms()) {
        if (arm.slowestMillis() != null && !arm.slowestMillis().isEmpty()) {
          chart
              .addSeries(
                  arm.variant().letter(),
                  arm.slowestMillis().stream().mapToDouble(Double::doubleValue).toArray())
              .setMarker(SeriesMarkers.NONE);
        }
      }
    }
    return chart;
  }

  private static CategoryChart latency(Unit unit, Results results) {
    var chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Latency at the fixed rate, medians")
            .yAxisTitle("ms")
            .build();
    double least = Double.POSITIVE_INFINITY;
    // XChart fails where variants have different figures; null is its word for no bar.
    var figures =
        LATENCIES.stream()
            .filter(
                it -> unit.variants().stream().anyMatch(has -> results.values(it, has).length > 0))
            .toList();
    var names = figures.stream().map(Figure::label).toList();
    for (Variant variant : unit.variants()) {
      var values = new ArrayList<Double>();
      for (Figure figure : figures) {
        double[] measured = results.values(figure, variant);
        if (measured.length == 0) {
          values.add(null);
          continue;
        }
        double median = Math.max(LEAST_MILLIS, Median.withDefaults().evaluate(measured));
        values.add(median);
        least = Math.min(least, median);
      }
      if (values.stream().anyMatch(it -> it != null)) {
        chart.addSeries(variant.letter(), names, values);
      }
    }
    // Bars begin at the end of the axis, which a logarithmic one has above 0.
    chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(least / 2);
    return chart;
  }

  private static XYChart sweep(Unit unit, Results results) {
    var chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Throughput by threads, medians")
            .xAxisTitle("threads")
            .yAxisTitle("operations a second")
            .build();
    chart.getStyler().setYAxisMin(0.0);
    for (Variant variant : unit.variants()) {
      var threads = new ArrayList<Integer>();
      var medians = new ArrayList<Double>();
      for (Integer step : unit.load().sweep() == null ? List.<Integer>of() : unit.load().sweep()) {
        double[] values = results.values(Round.Value.ofThreads(step), variant);
        if (values.length > 0) {
          threads.add(step);
          medians.add(Median.withDefaults().evaluate(values));
        }
      }
      if (!medians.isEmpty()) {
        chart.addSeries(variant.letter(), threads, medians).setMarker(SeriesMarkers.CIRCLE);
      }
    }
    return chart;
  }

  private static XYChart eden(Results results) {
    var chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Eden before each collection")
            .xAxisTitle("s")
            .yAxisTitle("MiB")
            .build();
    for (Round round : results.rounds()) {
      for (Arm arm : round.arms()) {
        if (arm.eden() != null && !arm.eden().isEmpty()) {
          chart
              .addSeries(
                  arm.variant().letter(),
                  arm.eden().stream().mapToDouble(Arm.Point::second).toArray(),
                  arm.eden().stream().mapToDouble(Arm.Point::mib).toArray())
              .setMarker(SeriesMarkers.CIRCLE);
        }
      }
    }
    return chart;
  }
}
