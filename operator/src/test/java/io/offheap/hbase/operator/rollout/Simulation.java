package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.offheap.hbase.operator.rollout.SimulatedOperator.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A cluster and its operators, in steps of a second; {@link Roller} decides for the operators. A
 * violated invariant fails at once ({@link Invariants}); {@link #assertRolled} checks the end.
 */
final class Simulation {
  static final String DRAINED_BY_OTHERS = "hb-rs-77.hb,16020,1";
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final int SECONDS = 8 * 3600;
  private static final int QUIET = 40;

  private final Random random;
  private final SimulatedInfrastructure infrastructure;
  private final SimulatedHBase hbase;
  private final SimulatedKubernetes kubernetes;
  private final List<SimulatedOperator> operators = new ArrayList<>();
  private final List<SimulatedOperator> dead = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Deque<Supplier<String>> log = new ArrayDeque<>();
  private Map<String, String> homes = Map.of();
  private RolloutRules rules =
      new RolloutRules(
          1, Duration.ofMinutes(10), Duration.ofMinutes(2), Optional.empty(), false, true);
  private Instant now = START;
  private Duration skew = Duration.ZERO;
  private Optional<Adversary> adversary = Optional.empty();
  private final SimulatedMetrics metrics = new SimulatedMetrics(this);
  private final Disturbances disturbances = new Disturbances(this);
  private final Invariants invariants = new Invariants(this);
  private final OperatorWrites writes;
  private Instant operatorSince = START;
  private int reconciliations;

  /** Once, at the first second at which it may happen. */
  record Event(int second, Runnable happens) {}

  Simulation(long seed) {
    random = new Random(seed);
    infrastructure = new SimulatedInfrastructure(random, now);
    hbase = new SimulatedHBase(random, infrastructure, now);
    kubernetes = new SimulatedKubernetes(random, hbase, infrastructure, now);
    writes = new OperatorWrites(kubernetes, invariants);
  }

  static Simulation of(long seed, int servers, int regions) {
    return of(seed, 2, servers, regions);
  }

  static Simulation of(long seed, int masters, int servers, int regions) {
    var world = new Simulation(seed);
    world.kubernetes.start(SimulatedKubernetes.MASTERS, masters);
    world.kubernetes.start("", servers);
    world.hbase.drainedByOthers(DRAINED_BY_OTHERS);
    world.fill(regions);
    world.switched((seed & 1) == 0, (seed & 2) == 0);
    return world;
  }

  /** Balancer and normalizer as they are at the beginning, and must be at the end. */
  private void switched(boolean balancer, boolean normalizer) {
    hbase.switched(balancer, normalizer);
    invariants.expectSwitches();
  }

  Simulation withGroup(String name, int servers) {
    kubernetes.start(name, servers);
    return this;
  }

  /** Creates regions, which all servers share. */
  void fill(int regions) {
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
    operatorSince = now;
    return this;
  }

  Simulation at(int second, Runnable event) {
    events.add(new Event(second, event));
    return this;
  }

  Instant now() {
    return now;
  }

  SimulatedHBase hbase() {
    return hbase;
  }

  SimulatedInfrastructure infrastructure() {
    return infrastructure;
  }

  SimulatedKubernetes kubernetes() {
    return kubernetes;
  }

  SimulatedMetrics metrics() {
    return metrics;
  }

  Disturbances disturbances() {
    return disturbances;
  }

  OperatorWrites writes() {
    return writes;
  }

  Optional<Rollout> memory() {
    return writes.memory();
  }

  RolloutRules rules() {
    return rules;
  }

  /** From now on an adversary acts. */
  Simulation against(Random chance) {
    adversary = Optional.of(new Adversary(this, chance));
    return this;
  }

  /** The operator's clock is set. */
  void jump(Duration by) {
    skew = skew.plus(by);
  }

  /** The operator ends and another one starts later; a pod may be deleted in between. */
  void stopOperator(Duration time, Optional<String> deleted) {
    dead.addAll(operators);
    operators.clear();
    long seconds = time.toSeconds();
    // In such a time, processes that wait in an outage exit more than once.
    long stepped = Math.min(seconds, 1200);
    for (long second = 0; second < stepped; second++) {
      // Delayed effects need steps of a second before and after the jump of the time.
      boolean isLast = second == stepped - 30;
      elapse(isLast ? time.minusSeconds(stepped - 1) : Duration.ofSeconds(1));
      if (second == stepped / 3) {
        deleted.ifPresent(this::deleteByHand);
      }
    }
    withOperator(0);
  }

  private void elapse(Duration time) {
    tick(time);
    dead.forEach(SimulatedOperator::deliver);
  }

  private void tick(Duration time) {
    now = now.plus(time);
    infrastructure.tick(now);
    hbase.tick(now);
    kubernetes.tick(now);
    invariants.updateUnavailable();
  }

  /** The operators' clock. */
  Instant clock() {
    return now.plus(skew);
  }

  /** For the story of a failure. */
  void note(Supplier<String> text) {
    log.add(text);
    if (log.size() > 200) {
      log.remove();
    }
  }

  void decided(RolloutSnapshot snapshot, Decision decision) {
    invariants.assertMayBegin(decision);
    invariants.assertEvictionCounts(snapshot, decision);
    invariants.check(
        decision.remembered().equals(memory()) || decision.actions().isEmpty(),
        "acts before the state is stored: " + decision.actions());
    long second = Duration.between(START, now).toSeconds();
    var stored = memory();
    note(
        () ->
            second
                + " "
                + decision.waitsFor().map(Decision.Wait::text).orElse("-")
                + " "
                + decision.actions()
                + decision.rolledBack()
                + " "
                + (decision.remembered().equals(stored) ? "" : decision.remembered()));
  }

  boolean hasAdversary() {
    return adversary.isPresent();
  }

  /** When the last operator was started. */
  Instant operatorSince() {
    return operatorSince;
  }

  boolean hasOneOperator() {
    return operators.size() == 1;
  }

  /** The steps of the adversary, the stored state and the last decisions. */
  String story() {
    return adversary.map(it -> "\n" + String.join("\n", it.steps()) + "\n").orElse("")
        + "\n"
        + memory()
        + "\n"
        + log.stream().map(Supplier::get).collect(Collectors.joining("\n"));
  }

  void deleteByHand(String name) {
    note(() -> "deleted by hand: " + name);
    kubernetes.pod(name).ifPresent(it -> kubernetes.delete(name, it.uid));
  }

  /** Reconciliations of all operators until nothing changes for {@link #QUIET} seconds. */
  int run() {
    return run(0, Optional.empty());
  }

  /**
   * The same, with the operators killed in one reconciliation, and one started after it.
   *
   * @param killed the number of that reconciliation, from 1; 0 for none
   * @return how many reconciliations stored or did something
   */
  int run(int killed, Optional<End> end) {
    int quiet = 0;
    for (int second = 0; second < SECONDS; second++) {
      tick(Duration.ofSeconds(1));
      rememberGood();
      operators.forEach(SimulatedOperator::deliver);
      dead.forEach(SimulatedOperator::deliver);
      int at = second;
      if (adversary.filter(it -> it.act(at)).isPresent()) {
        invariants.moved();
      }
      for (Event event : List.copyOf(events)) {
        if (event.second() <= second) {
          events.remove(event);
          event.happens().run();
          quiet = 0;
        }
      }
      boolean isIdle =
          memory().isEmpty() && events.isEmpty() && adversary.filter(it -> !it.isDone()).isEmpty();
      for (SimulatedOperator operator : List.copyOf(operators)) {
        operator.poll();
        if (operators.size() > 1 && random.nextInt(3) == 0) {
          continue;
        }
        boolean isLast = killed > 0 && reconciliations + 1 == killed;
        if (operator.reconcile(isLast ? end : Optional.empty())) {
          reconciliations++;
          isIdle = false;
          if (isLast) {
            operators.remove(operator);
            dead.add(operator);
            withOperator(0);
          }
        }
      }
      invariants.assertSwitchesGivenBack();
      quiet = isIdle && isQuiet() ? quiet + 1 : 0;
      if (quiet > QUIET) {
        return reconciliations;
      }
    }
    return fail("has not ended" + story());
  }

  /** Stores the revisions with which all pods of all groups serve, as the last good spec. */
  private void rememberGood() {
    if (memory().isEmpty()
        && !writes.isRefused(OperatorWrites.Kind.STATUS)
        && kubernetes.groups().values().stream().noneMatch(it -> it.isRolledBack)
        && kubernetes.groups().keySet().stream().allMatch(kubernetes::isAsDeclared)) {
      kubernetes.groups().values().forEach(it -> it.older = it.revision);
    }
  }

  private boolean isQuiet() {
    return !hbase.podsOfRegions().containsValue("")
        && kubernetes.groups().keySet().stream()
            .allMatch(it -> kubernetes.of(it).stream().allMatch(kubernetes::serves));
  }

  /** All groups are up to date. */
  void assertRolled() {
    invariants.assertRolled();
  }

  /** Each group is as declared or rolled back, and no state of the rollout is left. */
  void assertSettled() {
    invariants.assertSettled();
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
