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
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A cluster and its operators, in steps of a second; {@link Roller} decides for the operators. A
 * violated invariant fails at once; {@link #assertRolled} checks the end.
 */
final class Simulation {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");
  private static final int SECONDS = 8 * 3600;
  private static final int QUIET = 40;

  /**
   * Longer than each deadline of a step that waits for others, of ten minutes: it may begin anew
   * once, where a clock that was set back reaches the time at which the step began.
   */
  private static final Duration LONGEST_STEP = Duration.ofMinutes(21);

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
  private Duration skew = Duration.ZERO;
  private Optional<Adversary> adversary = Optional.empty();
  private List<ServerSample> samples = List.of();
  private final Set<String> refused = new HashSet<>();
  private final List<Disturbance> disturbances = new ArrayList<>();
  private List<Boolean> switches = List.of(true, true);
  private Optional<Rollout> last = Optional.empty();
  private Instant moved = START;
  private int passes;

  /** Whether no server reports metrics. */
  boolean isWithoutMetrics;

  /** What happened to a pod that is evidence for or against a change. */
  private record Disturbance(Instant at, String pod, String kind) {}

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
    world.switched((seed & 1) == 0, (seed & 2) == 0);
    return world;
  }

  /** Balancer and normalizer as they are at the beginning, and must be at the end. */
  private void switched(boolean balancer, boolean normalizer) {
    hbase.switched(balancer, normalizer);
    switches = hbase.switches();
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
  void away(Duration time, Optional<String> deleted) {
    dead.addAll(operators);
    operators.clear();
    long seconds = time.toSeconds();
    long stepped = Math.min(seconds, 90);
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

  /** Removes pods that serve again or are not declared any more. */
  private void forgetWhoIsBack() {
    out.removeIf(
        it ->
            kubernetes.pod(it).filter(kubernetes::serves).isPresent()
                || !kubernetes.isDeclared(it));
  }

  private void elapse(Duration time) {
    now = now.plus(time);
    hbase.tick(now);
    kubernetes.tick(now);
    forgetWhoIsBack();
    dead.forEach(SimulatedOperator::deliver);
  }

  /** The operators' clock. */
  Instant clock() {
    return now.plus(skew);
  }

  /** A server's metrics; with a worse revision, half its bytes come from the heap. */
  Optional<ServerSample> sample(SimulatedKubernetes.Pod pod) {
    return pod.server
        .filter(it -> hbase.isAlive(it) && !hbase.silent.contains(it) && !isWithoutMetrics)
        .map(
            server -> {
              long millis = Math.max(0, now.toEpochMilli() - HBaseView.startCode(server));
              long bytes = millis << 12;
              long heap = isWorse(pod.group, pod.revision) ? bytes / 2 : 0;
              return new ServerSample(
                  pod.name,
                  server,
                  clock(),
                  heap,
                  bytes - heap,
                  millis / 100,
                  OptionalDouble.of(50),
                  OptionalDouble.of(10),
                  millis / 10,
                  0,
                  pod.restarts);
            });
  }

  boolean isWorse(String group, int revision) {
    return revision % 10 == 7 || (worse.contains(group) && revision != 1);
  }

  List<ServerSample> samples() {
    return samples;
  }

  /** Stores the samples in the resource. */
  void rememberSamples(List<ServerSample> first) {
    samples = first;
  }

  /** Stores that all pods serve with this revision, or that a canary has passed with it. */
  void prove(String group, boolean byAll) {
    var set = kubernetes.group(group);
    var proven = byAll ? new HashSet<Integer>() : new HashSet<>(set.proven);
    proven.add(set.revision);
    set.proven = Set.copyOf(proven);
  }

  /** Stores the state; false if the write was refused. */
  boolean remember(Optional<Rollout> next, Optional<Decision.RolledBack> rolledBack) {
    if (isRefused("status")) {
      return false;
    }
    var before = memory.map(Rollout::passed).orElse(List.of());
    memory = next;
    rolledBack.ifPresent(this::assertReason);
    rolledBack.ifPresent(it -> kubernetes.rollBack(it.group()));
    next.map(Rollout::passed).orElse(List.of()).stream()
        .filter(it -> !before.contains(it))
        .forEach(
            it -> {
              assertVerdict(it);
              prove(it.canary().group(), false);
            });
    return true;
  }

  /**
   * A change that starts and performs as well as the one before is rolled back only if its server
   * has ended, reported nothing, or lost its node twice.
   */
  private void assertReason(Decision.RolledBack back) {
    var group = kubernetes.group(back.group());
    var text = String.join(", ", back.evidence());
    boolean hasReason =
        group.revision < 0
            || isWorse(back.group(), group.revision)
            || (text.contains("restarted") && count(group, "crash") > 0)
            || (text.contains("not alive") && count(group, "crash") > 0)
            || (text.contains("no metrics") && count(group, "silence") > 0)
            // While HBase does not respond, a server that is ready has not failed to start.
            || (back.reason().equals("NotServing") && count(group, "crash") > 0)
            || (back.reason().equals("NodeLost") && count(group, "node") > 1);
    check(hasReason, "rolled back a good change: " + back);
  }

  private long count(SimulatedKubernetes.Group group, String kind) {
    return disturbances.stream()
        .filter(it -> it.kind().equals(kind) && !it.at().isBefore(group.since))
        .count();
  }

  private void disturbed(String pod, String kind) {
    log.add(() -> kind + " of " + pod);
    disturbances.add(new Disturbance(now, pod, kind));
  }

  /** A pod ceases to exist with its node. */
  void lose(String pod) {
    disturbed(pod, "node");
    kubernetes.lose(pod);
  }

  /** The node of a pod does not report for a time. */
  void silence(String pod, boolean isServerLost, Duration time) {
    disturbed(pod, "node");
    kubernetes.silence(pod, isServerLost, time);
  }

  /** A server responds to the master and clients, and not to the operator. */
  void silence(String pod) {
    disturbed(pod, "silence");
    kubernetes.pod(pod).flatMap(it -> it.server).ifPresent(hbase.silent::add);
  }

  /**
   * While an operator runs, HBase responds and nothing moves, balancer and normalizer are as they
   * were.
   */
  private void assertSwitchesGivenBack() {
    boolean isStill =
        adversary.isPresent() && memory.equals(last) && hbase.masterSays().isPresent();
    last = memory;
    if (!isStill) {
      moved = now;
    }
    check(
        Duration.between(moved, now).compareTo(LONGEST_STEP) < 0
            || hbase.switches().equals(switches),
        "switches are kept since " + Duration.between(START, moved).toSeconds());
  }

  /** A worse canary passes only if no peer is left to compare it with. */
  private void assertVerdict(Rollout.Passed passed) {
    var group = passed.canary().group();
    var revision = kubernetes.group(group).revision;
    var peers = kubernetes.of(group).stream().filter(it -> it.revision != revision).toList();
    check(
        !isWorse(group, revision)
            || peers.isEmpty()
            || peers.stream().anyMatch(it -> isWorse(group, it.revision))
            || passed.evidence().contains("no peer to compare with")
            || passed.evidence().contains("heap share of allocated bytes: too little on its peers"),
        "passed: " + passed);
  }

  /** Refuses the next request of a kind. */
  void refuse(String kind) {
    refused.add(kind);
  }

  boolean isRefused(String kind) {
    return refused.remove(kind);
  }

  void decided(Decision decision) {
    check(
        decision.remembered().equals(memory) || decision.actions().isEmpty(),
        "acts before the state is stored: " + decision.actions());
    long second = Duration.between(START, now).toSeconds();
    var stored = memory;
    log.add(
        () ->
            second
                + " "
                + decision.waitsFor().map(Decision.Wait::text).orElse("-")
                + " "
                + decision.actions()
                + decision.rolledBack()
                + " "
                + (decision.remembered().equals(stored) ? "" : decision.remembered()));
    if (log.size() > 200) {
      log.remove();
    }
  }

  /** Scales StatefulSets down as far as their surplus pods are drained, or deleted. */
  void shrink() {
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              var pods = kubernetes.of(name).stream().filter(it -> it.deleted.isEmpty()).toList();
              int held =
                  pods.stream()
                      .filter(it -> !isLetGo(it))
                      .mapToInt(it -> it.ordinal + 1)
                      .reduce(group.declared, Math::max);
              pods.stream().filter(it -> it.ordinal >= held).forEach(this::assertEmpty);
              group.replicas = Math.min(group.replicas, held);
            });
  }

  private boolean isLetGo(SimulatedKubernetes.Pod pod) {
    return pod.group.equals(SimulatedKubernetes.MASTERS)
        || memory
            .flatMap(it -> it.restartOf(pod.name))
            .filter(it -> it.cause() == ServerRestart.Cause.SCALE_DOWN)
            .filter(it -> it.step() == ServerRestart.Step.STOP)
            .filter(it -> it.uid().equals(pod.uid))
            .isPresent();
  }

  void delete(String name, String uid) {
    var pod = kubernetes.pod(name).filter(it -> it.uid.equals(uid) && it.deleted.isEmpty());
    if (pod.isPresent() && !pod.get().group.equals(SimulatedKubernetes.MASTERS)) {
      if (kubernetes.group("").declared > 1) {
        assertEmpty(pod.get());
      }
      // Pods that were deleted from outside or do not serve do not count.
      assertProven(pod.get());
      boolean isOurs =
          memory
              .flatMap(it -> it.restartOf(name))
              .filter(it -> it.cause() == ServerRestart.Cause.RESTART)
              .isPresent();
      if (isOurs && kubernetes.serves(pod.get())) {
        check(kubernetes.isAdmitting, name + " goes, and its next pod would be refused");
        out.add(name);
      }
      check(out.size() <= rules.maxUnavailable(), "unavailable at a time: " + out);
    }
    if (!isRefused("delete")) {
      kubernetes.delete(name, uid, true);
    }
  }

  /** A serving pod gets a change only as the canary, or after the canary was compared. */
  private void assertProven(SimulatedKubernetes.Pod pod) {
    var set = kubernetes.group(pod.group);
    var others =
        kubernetes.of(pod.group).stream().filter(it -> it != pod && it.ordinal < set.declared);
    boolean isFollowing = others.anyMatch(it -> it.revision == set.revision);
    check(
        rules.canaryWindow().isEmpty()
            || pod.revision == set.revision
            || !kubernetes.serves(pod)
            || !isFollowing
            || memory
                .flatMap(it -> it.restartOf(pod.name))
                .filter(ServerRestart::isCanary)
                .isPresent()
            || set.isRolledBack
            || set.proven.contains(set.revision),
        pod.name + " gets the unproven revision " + set.revision);
  }

  private void assertEmpty(SimulatedKubernetes.Pod pod) {
    pod.server
        .filter(hbase::isAlive)
        .ifPresent(it -> check(hbase.on(it).isEmpty(), it + " stops with " + hbase.on(it)));
  }

  private void check(boolean holds, String text) {
    if (!holds) {
      fail(text + story());
    }
  }

  private String story() {
    return adversary.map(it -> "\n" + String.join("\n", it.steps()) + "\n").orElse("")
        + "\n"
        + memory
        + "\n"
        + log.stream().map(Supplier::get).collect(Collectors.joining("\n"));
  }

  void crash(String pod) {
    disturbed(pod, "crash");
    kubernetes.crash(pod);
  }

  void deleteByHand(String name) {
    log.add(() -> "deleted by hand: " + name);
    kubernetes.pod(name).ifPresent(it -> kubernetes.delete(name, it.uid, false));
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
      now = now.plusSeconds(1);
      hbase.tick(now);
      kubernetes.tick(now);
      forgetWhoIsBack();
      rememberGood();
      operators.forEach(SimulatedOperator::deliver);
      dead.forEach(SimulatedOperator::deliver);
      int at = second;
      if (adversary.filter(it -> it.act(at)).isPresent()) {
        moved = now;
      }
      for (Event event : List.copyOf(events)) {
        if (event.second() <= second) {
          events.remove(event);
          event.happens().run();
          quiet = 0;
        }
      }
      boolean isIdle =
          memory.isEmpty() && events.isEmpty() && adversary.filter(it -> !it.isDone()).isEmpty();
      for (SimulatedOperator operator : List.copyOf(operators)) {
        operator.poll();
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
      assertSwitchesGivenBack();
      quiet = isIdle && isQuiet() ? quiet + 1 : 0;
      if (quiet > QUIET) {
        return passes;
      }
    }
    return fail("has not ended" + story());
  }

  /** Records the revisions with which all pods serve. */
  private void rememberGood() {
    if (memory.isEmpty()
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
    // Of two operators, one may have old views and see nothing to do.
    if (operators.size() == 1) {
      assertThat(hbase.switches()).as(() -> "switches " + story()).isEqualTo(switches);
    }
    assertThat(hbase.draining()).as(this::story).containsExactly("hb-rs-77.hb,16020,1");
    assertThat(hbase.podsOfRegions()).doesNotContainValue("");
  }

  /** Each group is as declared or rolled back, and no state of the rollout is left. */
  void assertSettled() {
    assertThat(memory).as(this::story).isEmpty();
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              assertThat(kubernetes.of(name)).as(this::story).hasSize(group.declared);
              assertThat(kubernetes.of(name)).as(this::story).allMatch(kubernetes::serves);
              if (!group.isHalted) {
                assertThat(kubernetes.of(name))
                    .as(() -> name + " is as declared " + story())
                    .allMatch(it -> it.revision == group.revision);
              }
            });
    assertThat(hbase.switches()).as(() -> "switches " + story()).isEqualTo(switches);
    assertThat(hbase.draining()).as(this::story).containsExactly("hb-rs-77.hb,16020,1");
    assertThat(hbase.podsOfRegions()).as(this::story).doesNotContainValue("");
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
