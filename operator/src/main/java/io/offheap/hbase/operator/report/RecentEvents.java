package io.offheap.hbase.operator.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.plan.Texts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last {@link #MOST} events of each cluster, in memory: the operator may not list events, and
 * needs no right for what it made itself. Of {@link #CLUSTERS} clusters at most; the one that was
 * quiet for longest is forgotten. An entry takes 0.8 KiB at most: 200 clusters take 4 MiB at most,
 * all together 8 MiB, and with notes as they are a quarter of it.
 */
public final class RecentEvents {
  static final int MOST = 25;
  static final int CLUSTERS = 400;
  private static final int LONGEST_NOTE = 300;

  private final Map<ResourceID, Deque<Entry>> entries = new Bounded();

  /**
   * An event.
   *
   * @param at when it was last recorded, RFC 3339
   * @param type Normal or Warning
   * @param count how often it was recorded one after the other
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Entry(String at, String type, String reason, String note, int count) {
    private boolean isAgain(Entry other) {
      return type.equals(other.type) && reason.equals(other.reason) && note.equals(other.note);
    }
  }

  /** Keeps an event. */
  synchronized void add(ResourceID cluster, String at, String type, String reason, String note) {
    var entry = new Entry(at, type, reason, Texts.cut(note, LONGEST_NOTE), 1);
    var of = entries.computeIfAbsent(cluster, id -> new ArrayDeque<>());
    var last = of.peekLast();
    if (last != null && last.isAgain(entry)) {
      of.removeLast();
      entry = new Entry(at, type, reason, entry.note(), last.count() + 1);
    }
    of.addLast(entry);
    if (of.size() > MOST) {
      of.removeFirst();
    }
  }

  /** Those of a cluster, the newest first. */
  public synchronized List<Entry> of(ResourceID cluster) {
    var of = entries.get(cluster);
    if (of == null) {
      return List.of();
    }
    var list = new ArrayList<>(of);
    Collections.reverse(list);
    return list;
  }

  private static final class Bounded extends LinkedHashMap<ResourceID, Deque<Entry>> {
    private static final long serialVersionUID = 1L;

    Bounded() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<ResourceID, Deque<Entry>> eldest) {
      return size() > CLUSTERS;
    }
  }
}
