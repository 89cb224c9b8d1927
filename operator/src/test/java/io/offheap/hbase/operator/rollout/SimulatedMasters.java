package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A simulation of HBase's masters: one is active. Another one takes over after that one has exited,
 * or as soon as its death is found.
 */
final class SimulatedMasters {
  private static final int SECONDS_TO_TAKE_OVER = 3;

  /** When the death of each process is found; empty while it runs. */
  private final Map<String, Optional<Instant>> masters = new LinkedHashMap<>();

  private Optional<String> active = Optional.empty();
  private Instant nextFrom = Instant.MIN;

  void register(String master, Instant now) {
    // The same host with a later start: the earlier process is dead.
    List.copyOf(masters.keySet()).stream()
        .filter(it -> HBaseView.podOf(it).equals(HBaseView.podOf(master)))
        .forEach(it -> exited(it, now));
    masters.put(master, Optional.empty());
  }

  /** The death of a process is found at a time; nothing happens if it is no master's. */
  void died(String master, Instant found) {
    masters.computeIfPresent(master, (name, dead) -> Optional.of(found));
  }

  /** A process has exited; nothing happens if it is no master's. */
  void exited(String master, Instant now) {
    masters.remove(master);
    if (active.equals(Optional.of(master))) {
      active = Optional.empty();
      nextFrom = now.plusSeconds(SECONDS_TO_TAKE_OVER);
    }
  }

  /**
   * Advances the time while ZooKeeper serves.
   *
   * @param mayTakeOver whether a backup can become the active one
   */
  void tick(Instant now, boolean mayTakeOver) {
    for (var entry : List.copyOf(masters.entrySet())) {
      if (entry.getValue().filter(it -> !now.isBefore(it)).isPresent()) {
        exited(entry.getKey(), now);
      }
    }
    if (active.isEmpty() && mayTakeOver && !now.isBefore(nextFrom)) {
      active = masters.keySet().stream().filter(this::isRunning).findFirst();
    }
  }

  private boolean isRunning(String master) {
    return masters.getOrDefault(master, Optional.empty()).isEmpty();
  }

  /** The active master, if its process runs. */
  Optional<String> active() {
    return active.filter(this::isRunning);
  }

  /** The others, those included whose death is not found yet. */
  Set<String> backups() {
    return masters.keySet().stream()
        .filter(it -> !active.equals(Optional.of(it)))
        .collect(Collectors.toSet());
  }
}
