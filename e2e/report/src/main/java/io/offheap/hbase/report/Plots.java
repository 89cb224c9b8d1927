package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.descriptive.Median;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
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

  private static CategoryChart latency(Unit unit, Results results) {
    var chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Latency at the fixed rate, medians")
            .yAxisTitle("ms")
            .build();
    double least = Double.POSITIVE_INFINITY;
    for (Variant variant : unit.variants()) {
      var names = new ArrayList<String>();
      var values = new ArrayList<Double>();
      for (Figure figure : LATENCIES) {
        double[] measured = results.values(figure, variant);
        if (measured.length > 0) {
          names.add(figure.label());
          double median = Math.max(LEAST_MILLIS, Median.withDefaults().evaluate(measured));
          values.add(median);
          least = Math.min(least, median);
        }
      }
      if (!values.isEmpty()) {
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
