package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.offheap.hbase.operator.rollout.SimulatedOperator.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A cluster that is rolled, second after second, by operators that {@link Roller} decides for. What
 * must never happen fails it at once; {@link #assertRolled} is for the end.
 */
final class Simulation {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final int SECONDS = 3 * 3600;
  private static final int QUIET = 40;

  private final Random random;
  private final SimulatedHBase hbase;
  private final SimulatedKubernetes kubernetes;
  private final List<SimulatedOperator> operators = new ArrayList<>();
  private final List<SimulatedOperator> dead = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Set<String> out = new HashSet<>();
  private final Deque<Supplier<String>> log = new ArrayDeque<>();
  private Map<String, String> homes = Map.of();
  private Optional<Rollout> memory = Optional.empty();
  private RolloutRules rules =
      new RolloutRules(
          1, Duration.ofMinutes(10), Duration.ofMinutes(2), Optional.empty(), false, true);
  private Set<String> worse = Set.of();
  private Instant now = START;
  private int passes;

  /** Once, at the first second at which it may happen. */
  record Event(int second, Runnable happens) {}

  Simulation(long seed) {
    random = new Random(seed);
    hbase = new SimulatedHBase(random, now);
    kubernetes = new SimulatedKubernetes(random, hbase, now);
  }

  static Simulation of(long seed, int servers, int regions) {
    var world = new Simulation(seed);
    world.kubernetes.start(SimulatedKubernetes.MASTERS, 2);
    world.kubernetes.start("", servers);
    world.hbase.drainedByOthers("hb-rs-77.hb,16020,1");
    world.fill(regions);
    return world;
  }

  Simulation withGroup(String name, int servers) {
    kubernetes.start(name, servers);
    return this;
  }

  private void fill(int regions) {
    var servers = hbase.living();
    for (int i = 0; i < regions; i++) {
      var name = i == 0 ? "meta" : i == 1 ? "namespace" : "region-" + i;
      hbase.create(name, servers.get(i % servers.size()));
    }
    homes = hbase.podsOfRegions();
  }

  Simulation with(RolloutRules other) {
    rules = other;
    return this;
  }

  Simulation withOperator(int podsAge) {
    operators.add(new SimulatedOperator(this, random, podsAge));
    return this;
  }

  Simulation at(int second, Runnable event) {
    events.add(new Event(second, event));
    return this;
  }

  void worse(String group) {
    worse = Set.of(group);
  }

  Instant now() {
    return now;
  }

  SimulatedHBase hbase() {
    return hbase;
  }

  SimulatedKubernetes kubernetes() {
    return kubernetes;
  }

  Optional<Rollout> memory() {
    return memory;
  }

  RolloutRules rules() {
    return rules;
  }

  CanaryVerdict canaryVerdict() {
    var canary = memory.flatMap(Rollout::canary);
    if (canary.isEmpty()
        || now.isBefore(canary.get().since().plus(rules.canaryWindow().orElse(Duration.ZERO)))) {
      return new CanaryVerdict.Open();
    }
    return worse.contains(canary.get().group())
        ? new CanaryVerdict.Worse(List.of("it is"))
        : new CanaryVerdict.Passed(List.of());
  }

  void remember(Optional<Rollout> next) {
    memory = next;
  }

  void decided(Decision decision) {
    check(
        decision.remembered().equals(memory) || decision.actions().isEmpty(),
        "acts before it is written: " + decision.actions());
    long second = Duration.between(START, now).toSeconds();
    var stored = memory;
    log.add(
        () ->
            second
                + " "
                + decision.waitsFor().map(Decision.Wait::text).orElse("-")
                + " "
                + decision.actions()
                + decision.takenBack()
                + " "
                + (decision.remembered().equals(stored) ? "" : decision.remembered()));
    if (log.size() > 200) {
      log.remove();
    }
  }

  /** StatefulSets are made smaller when all pods that go with it are empty. */
  void shrink() {
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              for (var pod : kubernetes.of(name)) {
                if (pod.ordinal != group.replicas - 1 || pod.ordinal < group.declared) {
                  continue;
                }
                boolean mayGo =
                    name.equals(SimulatedKubernetes.MASTERS)
                        || memory
                            .flatMap(it -> it.turnOf(pod.name))
                            .filter(
                                it ->
                                    it.cause() == Turn.Cause.SCALE_DOWN
                                        && it.step() == Turn.Step.STOP)
                            .isPresent();
                if (mayGo) {
                  assertEmpty(pod);
                  group.replicas--;
                }
              }
            });
  }

  void delete(String name, String uid) {
    var pod = kubernetes.pod(name).filter(it -> it.uid.equals(uid) && it.deleted.isEmpty());
    if (pod.isPresent() && !pod.get().group.equals(SimulatedKubernetes.MASTERS)) {
      if (kubernetes.group("").declared > 1) {
        assertEmpty(pod.get());
      }
      // What somebody else deleted does not count, nor what does not serve.
      boolean isOurs =
          memory
              .flatMap(it -> it.turnOf(name))
              .filter(it -> it.cause() == Turn.Cause.RESTART)
              .isPresent();
      if (isOurs && kubernetes.serves(pod.get())) {
        out.add(name);
      }
      check(out.size() <= rules.maxUnavailable(), "out at a time: " + out);
    }
    kubernetes.delete(name, uid, true);
  }

  private void assertEmpty(SimulatedKubernetes.Pod pod) {
    pod.server
        .filter(hbase::isAlive)
        .ifPresent(it -> check(hbase.on(it).isEmpty(), it + " goes with " + hbase.on(it)));
  }

  private void check(boolean holds, String text) {
    if (!holds) {
      fail(text + story());
    }
  }

  private String story() {
    return "\n" + memory + "\n" + log.stream().map(Supplier::get).collect(Collectors.joining("\n"));
  }

  void crash(String pod) {
    log.add(() -> "crash of " + pod);
    kubernetes.crash(pod);
  }

  void deleteByHand(String name) {
    log.add(() -> "deleted by hand: " + name);
    kubernetes.pod(name).ifPresent(it -> kubernetes.delete(name, it.uid, false));
  }

  /** Passes of all operators until nothing has happened for a while. */
  int run() {
    return run(0, Optional.empty());
  }

  /**
   * The same, with the operators killed in a pass, and one started after it.
   *
   * @param killed the number of the pass, from 1; 0 for none
   * @return the passes in which there was something to write or to do
   */
  int run(int killed, Optional<End> end) {
    int quiet = 0;
    for (int second = 0; second < SECONDS; second++) {
      now = now.plusSeconds(1);
      hbase.tick(now);
      kubernetes.tick(now);
      out.removeIf(it -> kubernetes.pod(it).filter(kubernetes::serves).isPresent());
      operators.forEach(SimulatedOperator::deliver);
      dead.forEach(SimulatedOperator::deliver);
      for (Event event : List.copyOf(events)) {
        if (event.second() <= second) {
          events.remove(event);
          event.happens().run();
          quiet = 0;
        }
      }
      boolean isIdle = memory.isEmpty() && events.isEmpty();
      for (SimulatedOperator operator : List.copyOf(operators)) {
        operator.look();
        if (operators.size() > 1 && random.nextInt(3) == 0) {
          continue;
        }
        boolean isLast = killed > 0 && passes + 1 == killed;
        if (operator.pass(isLast ? end : Optional.empty())) {
          passes++;
          isIdle = false;
          if (isLast) {
            operators.remove(operator);
            dead.add(operator);
            withOperator(0);
          }
        }
      }
      quiet = isIdle && isQuiet() ? quiet + 1 : 0;
      if (quiet > QUIET) {
        return passes;
      }
    }
    return fail("not over" + story());
  }

  private boolean isQuiet() {
    return !hbase.podsOfRegions().containsValue("")
        && kubernetes.groups().keySet().stream()
            .allMatch(it -> kubernetes.of(it).stream().allMatch(kubernetes::serves));
  }

  void assertRolled() {
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              assertThat(kubernetes.of(name)).hasSize(group.declared);
              assertThat(kubernetes.of(name))
                  .as(() -> name + " is up to date " + story())
                  .allMatch(it -> it.revision == group.revision)
                  .allMatch(kubernetes::serves);
            });
    // Two operators, one of which does not see that there is anything to do, may both be right.
    if (operators.size() == 1) {
      assertThat(hbase.switches()).as(() -> "switches " + story()).containsExactly(true, true);
    }
    assertThat(hbase.draining()).as(this::story).containsExactly("hb-rs-77.hb,16020,1");
    assertThat(hbase.podsOfRegions()).doesNotContainValue("");
  }

  /** Every region but meta is on the pod that it was on. */
  void assertRegionsAtHome() {
    var there = new TreeMap<>(hbase.podsOfRegions());
    var before = new TreeMap<>(homes);
    there.remove("meta");
    before.remove("meta");
    assertThat(there).as(this::story).isEqualTo(before);
  }
}
