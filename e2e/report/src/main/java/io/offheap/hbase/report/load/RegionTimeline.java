package io.offheap.hbase.report.load;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** When which region was not served, and why, by the logs of the region servers. */
final class RegionTimeline {
  // "2026-11-25T04:54:14,123 INFO  [thread] regionserver.HRegion: Closed NAME". The name ends in
  // the
  // encoded one and a dot. From "Closing region" on a server refuses what comes for the region.
  private static final Pattern EVENT =
      Pattern.compile(
          "^(\\S+),(\\d{3}) INFO .*(?:\\.HRegion: (Closing region|Closed)"
              + "|\\.AssignRegionHandler: (Open|Opened)) \\S*\\.([0-9a-f]{32})\\.$");

  private final Map<String, List<Phase>> phases = new HashMap<>();

  /** Why a region is not served. */
  enum State {
    CLOSING,
    /** Closed, and not opened by another server yet. */
    MOVING,
    OPENING
  }

  /**
   * A time in which a region was not served.
   *
   * @param begin in milliseconds since the epoch
   */
  record Phase(State state, double begin, double end) {}

  private record Event(String kind, double at) {}

  /**
   * Reads the lines of all servers' logs, in any order.
   *
   * @param zone of the times in the logs
   */
  static RegionTimeline of(Stream<String> lines, ZoneId zone) {
    var events = new HashMap<String, List<Event>>();
    lines.forEach(
        line -> {
          var event = EVENT.matcher(line);
          if (event.find()) {
            double at =
                LocalDateTime.parse(event.group(1)).atZone(zone).toInstant().toEpochMilli()
                    + Integer.parseInt(event.group(2));
            events
                .computeIfAbsent(event.group(5), region -> new ArrayList<>())
                .add(new Event(event.group(event.group(3) == null ? 4 : 3), at));
          }
        });
    var timeline = new RegionTimeline();
    events.forEach((region, ofRegion) -> timeline.phases.put(region, phases(ofRegion)));
    return timeline;
  }

  private static List<Phase> phases(List<Event> events) {
    // The sort is stable: of one millisecond, they stay in the order of their log.
    events.sort(Comparator.comparingDouble(Event::at));
    var phases = new ArrayList<Phase>();
    for (int i = 1; i < events.size(); i++) {
      var before = events.get(i - 1);
      var state =
          switch (before.kind()) {
            case "Closing region" -> State.CLOSING;
            case "Closed" -> State.MOVING;
            case "Open" -> State.OPENING;
            default -> null;
          };
      if (state != null) {
        phases.add(new Phase(state, before.at(), events.get(i).at()));
      }
    }
    return List.copyOf(phases);
  }

  /** Returns those of a region, in their order. */
  List<Phase> of(String encodedRegion) {
    return phases.getOrDefault(encodedRegion, List.of());
  }
}
