package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The state and the history of tuning in a group of region servers.
 *
 * @param group name; empty for the default group
 * @param message what tuning does now or waits for
 * @param suspected causes that tuning cannot remove
 * @param values tuned values in the plan
 * @param trial the change on trial; null if there is none
 * @param recommendation a change that waits for approval; null if there is none
 * @param history the newest entry first
 */
record TuningView(
    String group,
    String message,
    List<TuningStatus.Suspicion> suspected,
    List<TuningStatus.Value> values,
    TuningStatus.Trial trial,
    TuningStatus.Recommendation recommendation,
    List<Entry> history) {
  private static final String APPLIED = "Applied";

  TuningView {
    suspected = List.copyOf(suspected);
    values = List.copyOf(values);
    history = List.copyOf(history);
  }

  /**
   * An entry of the history.
   *
   * @param event Applied, Kept, RolledBack, Stopped or Dropped
   * @param changes each value before and after
   * @param evidence the measured values
   * @param alert name of the alert that triggered it; null if there was none
   */
  record Entry(
      String at,
      String rule,
      String event,
      List<Change> changes,
      String reason,
      List<String> evidence,
      String alert) {
    Entry {
      changes = List.copyOf(changes);
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * A value's change.
   *
   * @param before null if it was the derived or declared value, or if the history does not reach
   *     back
   * @param after null if it is the derived or declared value again
   */
  record Change(String key, String before, String after) {}

  /** All groups that tuning has evaluated. */
  static List<TuningView> of(HBaseClusterStatus status) {
    return status.tuning() == null
        ? List.of()
        : list(status.tuning().groups()).stream().map(TuningView::of).toList();
  }

  private static TuningView of(TuningStatus.Group group) {
    return new TuningView(
        Objects.requireNonNullElse(group.name(), ""),
        group.message(),
        list(group.suspected()),
        list(group.values()),
        group.trial(),
        group.recommendation(),
        history(list(group.history())));
  }

  private static List<Entry> history(List<TuningStatus.Entry> oldestFirst) {
    var entries = new ArrayList<Entry>();
    var before = new HashMap<String, String>();
    var now = new HashMap<String, String>();
    for (TuningStatus.Entry entry : oldestFirst) {
      var changes = new ArrayList<Change>();
      var values = new TreeMap<>(Objects.requireNonNullElse(entry.values(), Map.of()));
      values.forEach(
          (key, value) -> {
            if (APPLIED.equals(entry.event())) {
              changes.add(new Change(key, now.get(key), value));
              before.put(key, now.get(key));
              now.put(key, value);
            } else if ("RolledBack".equals(entry.event())) {
              changes.add(new Change(key, value, before.get(key)));
              now.put(key, before.remove(key));
            } else if ("Dropped".equals(entry.event())) {
              changes.add(new Change(key, value, null));
              now.remove(key);
            }
          });
      entries.add(
          new Entry(
              entry.at(),
              entry.rule(),
              entry.event(),
              changes,
              entry.reason(),
              list(entry.evidence()),
              entry.alert() == null ? null : entry.alert().name()));
    }
    Collections.reverse(entries);
    return entries;
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }
}
