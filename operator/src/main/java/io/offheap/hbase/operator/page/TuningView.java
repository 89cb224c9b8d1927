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
 * What tuning does in a group of region servers, and did.
 *
 * @param group name; empty for the default group
 * @param message what tuning does now or waits for
 * @param suspicions causes that tuning cannot remove
 * @param values values that tuning chose and that are planned with
 * @param trial the change that is being tried; null where none is
 * @param recommendation a change that waits; null where none does
 * @param history the newest entry first
 */
record TuningView(
    String group,
    String message,
    List<String> suspicions,
    List<TuningStatus.Value> values,
    TuningStatus.Trial trial,
    TuningStatus.Recommendation recommendation,
    List<Entry> history) {
  private static final String APPLIED = "Applied";

  TuningView {
    suspicions = List.copyOf(suspicions);
    values = List.copyOf(values);
    history = List.copyOf(history);
  }

  /**
   * What was done.
   *
   * @param event Applied, Kept, RolledBack, Stopped or Dropped
   * @param changes what each value was and became
   * @param evidence what was seen
   * @param alert name of the alert after which it was done; null where there was none
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
   * @param before null where it was as derived or declared, or where the history does not reach
   *     back
   * @param after null where it is as derived or declared again
   */
  record Change(String key, String before, String after) {}

  /** All groups that tuning has looked at. */
  static List<TuningView> of(HBaseClusterStatus status) {
    return status.tuning() == null
        ? List.of()
        : list(status.tuning().groups()).stream().map(TuningView::of).toList();
  }

  private static TuningView of(TuningStatus.Group group) {
    return new TuningView(
        Objects.requireNonNullElse(group.name(), ""),
        group.message(),
        list(group.suspicions()),
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
