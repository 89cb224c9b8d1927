package io.offheap.hbase.operator.tune;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Figures in one array of numbers: a window has hundreds of readings of a cluster, and an object
 * for each number, with the references to it, takes several times as much.
 */
final class Figures extends AbstractMap<Figure, Double> {
  private static final Figure[] ALL = Figure.values();

  /** By {@link #index}; not a number where there is none. */
  private final double[] numbers = new double[ALL.length];

  private Figures(Map<Figure, Double> figures) {
    Arrays.fill(numbers, Double.NaN);
    figures.forEach((figure, number) -> numbers[index(figure)] = number);
  }

  /** A copy; what is not a number is left out. */
  static Map<Figure, Double> copyOf(Map<Figure, Double> figures) {
    return figures instanceof Figures ? figures : new Figures(figures);
  }

  @Override
  public Double get(Object key) {
    return key instanceof Figure figure && has(figure) ? numbers[index(figure)] : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof Figure figure && has(figure);
  }

  private boolean has(Figure figure) {
    return !Double.isNaN(numbers[index(figure)]);
  }

  /** Its place in the array, which never leaves the process. */
  @SuppressWarnings("EnumOrdinal")
  private static int index(Figure figure) {
    return figure.ordinal();
  }

  @Override
  public Set<Entry<Figure, Double>> entrySet() {
    var entries = new EnumMap<Figure, Double>(Figure.class);
    for (Figure figure : ALL) {
      if (has(figure)) {
        entries.put(figure, numbers[index(figure)]);
      }
    }
    return Collections.unmodifiableMap(entries).entrySet();
  }
}
