package io.offheap.hbase.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * All units that compare our image and plan with HBase's own defaults, in one plot. A comparison
 * that is undecided, or within the noise, has no bar.
 */
final class SummaryPlot {
  static final String FILE = "summary.png";
  static final String TITLE = "Our image and plan, in % of HBase's own defaults";

  private static final int WIDTH = 900;
  private static final int HEIGHT = 400;
  private static final Variant OURS = Variant.E;

  /** HBase's own defaults with the JVM's own heap, and with a larger one. */
  private static final List<Variant> DEFAULTS = List.of(Variant.A, Variant.B);

  private static final Set<Comparison.Result> CLAIMED =
      EnumSet.of(Comparison.Result.AHEAD, Comparison.Result.BEHIND);

  /** A figure and what its bars are called: their units cancel out. */
  private record Bar(Figure figure, String label) {}

  private static final List<Bar> BARS =
      List.of(
          new Bar(Figure.HEAP_BYTES_PER_OPERATION, "heap an operation"),
          new Bar(Figure.PAUSE_SECONDS_PER_MILLION, "pauses an operation"),
          new Bar(Figure.CPU_MICROS_PER_OPERATION, "CPU an operation"),
          new Bar(Figure.P99_MILLIS, "p99"),
          new Bar(Figure.P999_MILLIS, "p99.9"),
          new Bar(Figure.OPERATIONS_PER_SECOND, "operations a second"));

  private SummaryPlot() {}

  /**
   * Returns it where there is something to show.
   *
   * @param measured results of units, by what the plot calls the unit
   */
  static Optional<CategoryChart> of(Map<String, Results> measured) {
    var chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(TITLE).yAxisTitle("%").build();
    chart.getStyler().setYAxisMin(0.0).setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    measured.forEach(
        (name, results) -> {
          for (Variant defaults : DEFAULTS) {
            var bars = new ArrayList<Double>();
            BARS.forEach(bar -> bars.add(percent(results, bar.figure(), defaults)));
            if (bars.stream().anyMatch(it -> it != null)) {
              chart.addSeries(
                  "%s: e / %s".formatted(name, defaults.letter()),
                  BARS.stream().map(Bar::label).toList(),
                  bars);
            }
          }
        });
    return chart.getSeriesMap().isEmpty() ? Optional.empty() : Optional.of(chart);
  }

  /** Returns null, XChart's word for no bar, where nothing may be claimed. */
  private static Double percent(Results results, Figure figure, Variant defaults) {
    var comparison = results.compare(figure, OURS, defaults);
    return !CLAIMED.contains(comparison.result())
            || !Double.isFinite(comparison.ratio().orElse(Double.NaN))
        ? null
        : Double.valueOf(100 * comparison.ratio().getAsDouble());
  }

  static void write(CategoryChart chart, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(folder);
    try (var out = Files.newOutputStream(folder.resolve(FILE))) {
      BitmapEncoder.saveBitmap(chart, out, BitmapFormat.PNG);
    }
  }
}
