package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Simulates region servers that react to tuned values, their rollouts, and a tuner. One tick is a
 * minute. The invariants are checked in each step.
 */
final class SimulatedGroup {
  private static final Tuner TUNER = new Tuner(Rules.all());
  private static final Duration TICK = Duration.ofMinutes(1);

  /** The metrics of a server for a minute with these values, by the age of its process. */
  interface Truth {
    void live(Counters server, Evidence plan, Duration age, Instant time);
  }

  /** Metrics of a process. */
  static final class Counters {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    Counters add(Metric metric, double value) {
      values.merge(metric, value, Double::sum);
      return this;
    }

    Counters set(Metric metric, double value) {
      values.put(metric, value);
      return this;
    }
  }

  private static final class Server {
    final String pod;
    Instant start;
    Map<TunedKey, Long> values = Map.of();
    Counters counters = new Counters();

    Server(int index) {
      pod = "demo-rs-" + index;
      start = Group.START;
    }

    void restart(Map<TunedKey, Long> with, Instant time) {
      values = with;
      start = time;
      counters = new Counters();
    }
  }

  private final Group group;
  private final Truth truth;
  private final List<Server> servers = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private Predicate<Map<TunedKey, Long>> badCanary = values -> false;
  private Rollout rollout = new Rollout.Complete();
  TuningSettings settings = settings(TuningMode.AUTO);
  TuningState state = TuningState.EMPTY;
  TuningStep last;
  Optional<String> approved = Optional.empty();
  Optional<String> dismissed = Optional.empty();
  Instant now = Group.START;
  Instant watchedSince = Group.START;

  SimulatedGroup(Group group, int size, Truth truth) {
    this.group = group;
    this.truth = truth;
    for (int i = 0; i < size; i++) {
      servers.add(new Server(i));
    }
  }

  static TuningSettings settings(TuningMode mode) {
    return new TuningSettings(
        mode, Group.WINDOW, Group.WARM_UP, Duration.ofMinutes(30), 4, Set.of());
  }

  /** Values with which a canary is worse than its peers, so that the rollout is rolled back. */
  SimulatedGroup badCanary(Predicate<Map<TunedKey, Long>> values) {
    badCanary = values;
    return this;
  }

  SimulatedGroup run(Duration time) {
    for (var end = now.plus(time); now.isBefore(end); ) {
      tick();
    }
    return this;
  }

  void tick() {
    live();
    for (Server server : servers) {
      var name = server.pod + ",16020," + server.start.toEpochMilli();
      readings.add(new Reading(server.pod, name, now, server.counters.values));
    }
    readings.removeIf(it -> it.at().isBefore(now.minus(Duration.ofMinutes(40))));
    roll();
    step();
  }

  private void live() {
    now = now.plus(TICK);
    for (Server server : servers) {
      var evidence = group.evidence(List.of(), server.values);
      truth.live(server.counters, evidence, Duration.between(server.start, now), now);
    }
  }

  /** The servers run, and no operator does. The next one has no readings. */
  void away(Duration time) {
    for (var end = now.plus(time); now.isBefore(end); ) {
      live();
    }
    readings.clear();
    watchedSince = now;
  }

  /** The clock of the operator is set to another time. */
  void setClock(Instant time) {
    now = time;
    watchedSince = time;
  }

  /** One server a minute, canary first. */
  private void roll() {
    var wanted = state.values();
    var changed = servers.stream().filter(it -> !it.values.equals(wanted)).findFirst();
    if (changed.isEmpty()) {
      rollout = new Rollout.Complete();
    } else if (badCanary.test(wanted)) {
      rollout = new Rollout.RolledBack("CanaryWorse", List.of("worse"));
    } else {
      rollout = new Rollout.InProgress();
      changed.get().restart(wanted, now);
    }
  }

  /** The input of the next step. */
  TuningInput input() {
    var windows = ServerWindow.of(readings, Group.WARM_UP);
    var evidence = group.evidence(windows, state.values());
    return new TuningInput(
        settings, state, Optional.of(evidence), rollout, approved, dismissed, watchedSince, now);
  }

  private void step() {
    var input = input();
    last = TUNER.step(input);
    assertThat(last.next()).as("same input, same step").isEqualTo(TUNER.step(input).next());
    check(input);
    state = last.next();
    events.addAll(news());
  }

  /** The result of the last step. */
  private List<Event> news() {
    return last.next().history().stream().filter(it -> it.at().equals(now)).toList();
  }

  private void check(TuningInput input) {
    var next = last.next();
    assertThat(next.history()).hasSizeLessThanOrEqualTo(TuningState.HISTORY);
    if (settings.mode() == TuningMode.DISABLED) {
      assertThat(next.values()).isEmpty();
    }
    if (!next.values().equals(state.values())) {
      assertThat(news()).as("a change is reported").isNotEmpty();
    }
    for (Event event : news()) {
      if (event.kind() != EventKind.APPLIED) {
        continue;
      }
      assertThat(input.rollout()).isEqualTo(new Rollout.Complete());
      assertThat(state.trial()).as("one change at a time").isEmpty();
      assertThat(appliedOrRolledBackToday()).isLessThan(settings.changesPerDay());
      assertThat(state.stops()).noneMatch(it -> it.rule().equals(event.rule()));
      state
          .lastChange()
          .ifPresent(it -> assertThat(it.plus(settings.coolDown())).isBeforeOrEqualTo(now));
      if (settings.mode() == TuningMode.RECOMMEND || !rule(event.rule()).isProven()) {
        var values = event.values();
        var proposal = new RuleResult.Proposal(event.rule(), values, "", List.of());
        assertThat(approved)
            .as("what is applied was approved")
            .contains(Steps.id(proposal, state.values(), state.trials()));
      }
    }
  }

  private long appliedOrRolledBackToday() {
    return events.stream()
        .filter(it -> it.kind() == EventKind.APPLIED || it.kind() == EventKind.ROLLED_BACK)
        .filter(it -> it.at().plus(Duration.ofHours(24)).isAfter(now))
        .count();
  }

  List<EventKind> kinds() {
    return events.stream().map(Event::kind).toList();
  }

  List<Event> events() {
    return events;
  }

  Long value(TunedKey key) {
    return state.values().get(key);
  }

  /** The recent heap share. */
  double symptom(String rule) {
    var windows = ServerWindow.of(readings, Group.WARM_UP);
    return rule(rule).symptom(group.evidence(windows, state.values())).orElse(-1);
  }

  private static Rule rule(String name) {
    return Rules.all().find(name).orElseThrow();
  }
}
