package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A rollout as a time line: a line for each server that was restarted, is being restarted or waits
 * for its restart.
 *
 * @param started when it began
 * @param ended when it ended; null while it is under way
 * @param waitingFor what it waits for; null if it does not wait
 * @param notBefore earliest time of the next drain; null without one
 * @param done servers whose restart has ended
 * @param total these and the servers that are being restarted or outdated
 * @param master the master that is being restarted; null if there is none
 * @param canary the server that is compared with its peers; null if there is none
 * @param lines in the order of the restarts
 * @param passed canaries that were no worse than their peers
 */
@RecordBuilder
record RolloutView(
    String started,
    String ended,
    String waitingFor,
    String notBefore,
    int done,
    int total,
    RolloutStatus.Master master,
    Canary canary,
    List<Line> lines,
    List<RolloutStatus.Passed> passed) {
  RolloutView {
    lines = List.copyOf(lines);
    passed = List.copyOf(passed);
  }

  /** The server that is compared. */
  record Canary(String pod, String since) {}

  /** The phase of a server in a rollout. */
  enum Phase {
    done,
    now,
    next
  }

  /**
   * A server. Each of the four times is in seconds, 0 for a step that has not ended.
   *
   * @param step Drain, Stop, Start or Return; null unless it is being restarted
   * @param since when that step began; null unless it is being restarted
   * @param outcome how the restart ended; null before
   * @param regions regions to move back, or that it had
   */
  @RecordBuilder
  record Line(
      String pod,
      Phase phase,
      boolean canary,
      String step,
      String since,
      String outcome,
      int regions,
      double drain,
      double stop,
      double start,
      double bringBack) {

    private static Line of(RolloutStatus.FinishedServer server) {
      return RolloutViewLineBuilder.builder()
          .pod(server.pod())
          .phase(Phase.done)
          .canary(false)
          .step(null)
          .since(null)
          .outcome(server.outcome())
          .regions(server.regions())
          .drain(seconds(server.drainMillis()))
          .stop(seconds(server.stopMillis()))
          .start(seconds(server.startMillis()))
          .bringBack(seconds(server.returnMillis()))
          .build();
    }

    private static Line of(RolloutStatus.Server server) {
      var times = Objects.requireNonNullElse(server.times(), new RolloutStatus.Times(0, 0, 0, 0));
      return RolloutViewLineBuilder.builder()
          .pod(server.pod())
          .phase(Phase.now)
          .canary(Boolean.TRUE.equals(server.canary()))
          .step(server.step())
          .since(server.since())
          .outcome(null)
          .regions(list(server.regions()).size())
          .drain(seconds(times.drainMillis()))
          .stop(seconds(times.stopMillis()))
          .start(seconds(times.startMillis()))
          .bringBack(seconds(times.returnMillis()))
          .build();
    }

    private static Line next(RegionServer server) {
      int regions = Objects.requireNonNullElse(server.regions(), 0);
      return RolloutViewLineBuilder.builder()
          .pod(server.pod())
          .phase(Phase.next)
          .canary(false)
          .step(null)
          .since(null)
          .outcome(null)
          .regions(regions)
          .drain(0)
          .stop(0)
          .start(0)
          .bringBack(0)
          .build();
    }
  }

  /** The running rollout; null if there is none. */
  static RolloutView of(HBaseClusterStatus status) {
    var rollout = status.rollout();
    if (rollout == null) {
      return null;
    }
    // A server that is restarted again has one line, that of its last restart.
    var lines = new LinkedHashMap<String, Line>();
    finished(rollout.finished()).forEach(it -> add(it, lines));
    list(rollout.servers()).forEach(it -> add(Line.of(it), lines));
    list(status.regionServers()).stream()
        .filter(it -> it.state() == RegionServer.State.Outdated)
        .filter(it -> !isUnderWay(lines.get(it.pod())))
        .forEach(it -> add(Line.next(it), lines));
    int done = (int) lines.values().stream().filter(it -> it.phase() == Phase.done).count();
    return RolloutViewBuilder.builder()
        .started(rollout.started())
        .ended(null)
        .waitingFor(rollout.waitingFor())
        .notBefore(rollout.notBefore())
        .done(done)
        .total(lines.size())
        .master(rollout.master())
        .canary(
            rollout.canary() == null
                ? null
                : new Canary(rollout.canary().pod(), rollout.canary().since()))
        .lines(new ArrayList<>(lines.values()))
        .passed(list(rollout.passed()))
        .build();
  }

  /** The last rollout that has ended; null if there was none. */
  static RolloutView last(HBaseClusterStatus status) {
    var last = status.lastRollout();
    if (last == null) {
      return null;
    }
    var lines = finished(last.servers());
    return RolloutViewBuilder.builder()
        .started(last.started())
        .ended(last.ended())
        .waitingFor(null)
        .notBefore(null)
        .done(lines.size())
        .total(lines.size())
        .master(null)
        .canary(null)
        .lines(lines)
        .passed(list(last.passed()))
        .build();
  }

  /** In the order in which they ended; the status has the last one first. */
  private static List<Line> finished(List<RolloutStatus.FinishedServer> servers) {
    var lines = new ArrayList<>(list(servers).stream().map(Line::of).toList());
    Collections.reverse(lines);
    return lines;
  }

  private static void add(Line line, Map<String, Line> lines) {
    lines.remove(line.pod());
    lines.put(line.pod(), line);
  }

  private static boolean isUnderWay(Line line) {
    return line != null && line.phase() == Phase.now;
  }

  private static double seconds(long millis) {
    return millis / 1000.0;
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }
}
