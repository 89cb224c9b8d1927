package io.offheap.hbase.operator.cli;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.plan.Texts;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A cluster's status as one screen of text: region servers, plan, rollout, tuning, conditions and
 * events.
 */
final class StatusScreen {
  private static final int LAST_EVENTS = 8;
  private static final int LONGEST = 160;
  private static final int BAR = 30;

  private final TerminalColors colors;
  private final Instant now;

  /**
   * A screen.
   *
   * @param color whether to use the terminal's colours
   * @param now the time for ages
   */
  StatusScreen(boolean color, Instant now) {
    this.colors = new TerminalColors(color);
    this.now = now;
  }

  /** The text of the screen; each line has a line end. */
  String text(ObservedCluster cluster) {
    var text = new StringBuilder();
    heading(cluster, text);
    regionServers(cluster, text);
    rollout(cluster, text);
    rolledBack(cluster, text);
    tuning(cluster, text);
    conditions(cluster, text);
    events(cluster, text);
    return text.toString();
  }

  private void heading(ObservedCluster cluster, StringBuilder text) {
    var metadata = cluster.cluster().getMetadata();
    var ready = cluster.condition("Ready").map(Condition::getStatus).orElse("Unknown");
    text.append(colors.bold(metadata.getNamespace() + "/" + metadata.getName()))
        .append("  ")
        .append(ready.equals("True") ? colors.green("Ready") : colors.red("not ready"));
    if (cluster.status().desiredServers() != null) {
      text.append("  region servers ")
          .append(cluster.status().readyServers())
          .append('/')
          .append(cluster.status().desiredServers());
    }
    cluster
        .plan()
        .ifPresent(
            plan ->
                text.append("\nplan ")
                    .append(plan.hash())
                    .append(": heap ")
                    .append(value(plan.heap()))
                    .append(", off-heap ")
                    .append(value(plan.offHeap()))
                    .append(", container ")
                    .append(value(plan.container())));
    text.append('\n');
    var generation = metadata.getGeneration();
    if (generation != null && !generation.equals(cluster.status().observedGeneration())) {
      text.append(colors.yellow("the operator has not read this version of the spec yet"))
          .append('\n');
    }
  }

  private static String value(String size) {
    return Objects.requireNonNullElse(size, "-");
  }

  private void regionServers(ObservedCluster cluster, StringBuilder text) {
    if (cluster.regionServers().isEmpty()) {
      return;
    }
    text.append('\n').append(colors.bold(line("REGION SERVER", "STATE", "REGIONS", "PLAN")));
    for (HBaseClusterStatus.RegionServer server : cluster.regionServers()) {
      var state = server.state() == null ? "-" : server.state().name();
      var row =
          line(
              server.pod(),
              state,
              server.regions() == null ? "-" : server.regions().toString(),
              Objects.requireNonNullElse(server.planHash(), "-"));
      text.append(state.equals("Serving") ? row : colors.yellow(row));
    }
  }

  private static String line(String pod, String state, String regions, String plan) {
    return String.format("%-36s %-10s %8s  %s%n", pod, state, regions, plan);
  }

  private void rollout(ObservedCluster cluster, StringBuilder text) {
    var rollout = cluster.status().rollout();
    if (rollout == null) {
      return;
    }
    int all = Math.max(1, cluster.regionServers().size());
    int restarted =
        (int)
            list(rollout.finished()).stream()
                .map(RolloutStatus.FinishedServer::pod)
                .distinct()
                .count();
    int done = Math.min(all, restarted);
    text.append('\n')
        .append(colors.bold("Rollout"))
        .append("  since ")
        .append(age(rollout.started()))
        .append("  [")
        .append("#".repeat(BAR * done / all))
        .append(".".repeat(BAR - BAR * done / all))
        .append("] ")
        .append(done)
        .append(" of ")
        .append(all)
        .append(" region servers\n");
    for (RolloutStatus.Server server : list(rollout.servers())) {
      text.append("  ")
          .append(server.pod())
          .append(": ")
          .append(server.step())
          .append(" for ")
          .append(age(server.since()))
          .append(Boolean.TRUE.equals(server.canary()) ? ", canary" : "")
          .append('\n');
    }
    if (rollout.master() != null) {
      text.append("  ").append(rollout.master().pod()).append(": master is being restarted\n");
    }
    if (rollout.canary() != null) {
      text.append("  ")
          .append(rollout.canary().pod())
          .append(": compared with its peers for ")
          .append(age(rollout.canary().since()))
          .append('\n');
    }
    if (rollout.waitingFor() != null && !rollout.waitingFor().isEmpty()) {
      text.append("  waits: ").append(colors.yellow(shown(rollout.waitingFor()))).append('\n');
    }
  }

  private void rolledBack(ObservedCluster cluster, StringBuilder text) {
    for (RolloutStatus.RolledBack change : list(cluster.status().rolledBack())) {
      text.append('\n')
          .append(colors.red("Rolled back"))
          .append("  group ")
          .append(GroupTitle.of(change.group()))
          .append(", ")
          .append(age(change.at()))
          .append(" ago: ")
          .append(shown(change.reason()))
          .append('\n');
      list(change.evidence())
          .forEach(evidence -> text.append("  ").append(shown(evidence)).append('\n'));
    }
  }

  private void tuning(ObservedCluster cluster, StringBuilder text) {
    if (cluster.status().tuning() == null) {
      return;
    }
    text.append('\n').append(colors.bold("Tuning")).append('\n');
    for (TuningStatus.Group group : list(cluster.status().tuning().groups())) {
      text.append("  group ")
          .append(GroupTitle.of(group.name()))
          .append(": ")
          .append(shown(Objects.requireNonNullElse(group.message(), "-")))
          .append('\n');
      for (TuningStatus.Value value : list(group.values())) {
        text.append("    ")
            .append(value.key())
            .append(" = ")
            .append(value.value())
            .append("  (")
            .append(value.rule())
            .append(")\n");
      }
      list(group.suspected())
          .forEach(
              it ->
                  text.append("    ")
                      .append(colors.red(shown(it.rule() + ": " + it.message())))
                      .append('\n'));
      if (group.recommendation() != null) {
        text.append("    ")
            .append(colors.yellow("waits for approval"))
            .append(": ")
            .append(group.recommendation().values())
            .append(" by ")
            .append(group.recommendation().rule())
            .append("; kubectl hbc tuning ")
            .append(cluster.cluster().getMetadata().getName())
            .append(" approve ")
            .append(group.recommendation().id())
            .append(", or dismiss ")
            .append(group.recommendation().id())
            .append('\n');
      }
    }
  }

  private void conditions(ObservedCluster cluster, StringBuilder text) {
    text.append('\n')
        .append(colors.bold(String.format("%-15s %-8s %s%n", "CONDITION", "STATUS", "WHY")));
    for (Condition condition : cluster.conditions()) {
      text.append(
          String.format(
              "%-15s %-8s %s%n",
              condition.getType(),
              condition.getStatus(),
              condition.getReason()
                  + (condition.getMessage() == null || condition.getMessage().isEmpty()
                      ? ""
                      : ": " + shown(condition.getMessage()))));
    }
    if (cluster.conditions().isEmpty()) {
      text.append("none: no operator has read this resource\n");
    }
  }

  private void events(ObservedCluster cluster, StringBuilder text) {
    var events = cluster.events();
    if (events.isEmpty()) {
      return;
    }
    text.append('\n')
        .append(colors.bold(String.format("%-8s %-20s %s%n", "AGO", "EVENT", "MESSAGE")));
    for (var event : events.subList(Math.max(0, events.size() - LAST_EVENTS), events.size())) {
      var row =
          String.format("%-8s %-20s %s%n", age(event.at()), event.reason(), shown(event.message()));
      text.append(event.type().equals("Warning") ? colors.yellow(row) : row);
    }
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }

  /** A text of a resource, on one line and without control characters. */
  private static String shown(String text) {
    return text == null ? "" : Texts.shown(text.lines().collect(Collectors.joining(" ")), LONGEST);
  }

  /** The age of a time as kubectl shows it; "-" for an invalid time. */
  private String age(String time) {
    if (time == null || time.isEmpty()) {
      return "-";
    }
    Duration age;
    try {
      age = Duration.between(Instant.parse(time), now);
    } catch (DateTimeException e) {
      return "-";
    }
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 7200) {
      return seconds / 60 + "m";
    }
    return seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
