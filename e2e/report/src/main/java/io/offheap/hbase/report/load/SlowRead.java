package io.offheap.hbase.report.load;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A read that took long, and what its time went by with.
 *
 * @param region its encoded name
 * @param begin when it should have begun, in milliseconds since the epoch
 * @param end when it had its response
 * @param spans what HBase's client did
 */
record SlowRead(String region, double begin, double end, List<Attempts.Span> spans) {
  /** What a moment of a read goes by with; the first that holds. */
  enum Part {
    CLOSING("closingPercent"),
    MOVING("movingPercent"),
    OPENING("openingPercent"),
    LOCATING("locatingPercent"),
    CALLING("callingPercent"),
    /** Between two attempts. */
    BACKING_OFF("backingOffPercent"),
    /** Before the first attempt. */
    WAITING("waitingPercent");

    private final String figure;

    Part(String figure) {
      this.figure = figure;
    }

    /** The name of its share in the report. */
    String figure() {
      return figure;
    }
  }

  double millis() {
    return end - begin;
  }

  /**
   * Returns the milliseconds of each part; together they are those of the read. What the region's
   * server does comes before what the client does meanwhile: a client that backs off while the
   * region is closed would get nothing if it did not.
   */
  Map<Part, Double> parts(RegionTimeline timeline) {
    var phases = timeline.of(region);
    var edges = new TreeSet<Double>(List.of(begin, end));
    phases.forEach(phase -> edges.addAll(List.of(within(phase.begin()), within(phase.end()))));
    spans.forEach(span -> edges.addAll(List.of(within(span.begin()), within(span.end()))));
    var parts = new EnumMap<Part, Double>(Part.class);
    double from = begin;
    for (double to : edges) {
      if (to > from) {
        parts.merge(part((from + to) / 2, phases), to - from, Double::sum);
      }
      from = to;
    }
    return parts;
  }

  private double within(double at) {
    return Math.min(end, Math.max(begin, at));
  }

  private Part part(double at, List<RegionTimeline.Phase> phases) {
    for (var phase : phases) {
      if (phase.begin() <= at && at < phase.end()) {
        return switch (phase.state()) {
          case CLOSING -> Part.CLOSING;
          case MOVING -> Part.MOVING;
          case OPENING -> Part.OPENING;
        };
      }
    }
    for (var span : spans) {
      if (span.begin() <= at && at < span.end()) {
        return span.step() == Attempts.Step.LOCATING ? Part.LOCATING : Part.CALLING;
      }
    }
    return spans.isEmpty() || at < spans.get(0).begin() ? Part.WAITING : Part.BACKING_OFF;
  }
}
