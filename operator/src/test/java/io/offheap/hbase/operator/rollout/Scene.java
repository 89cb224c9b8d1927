package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds a snapshot and runs {@link Roller} with it. */
final class Scene {
  static final Instant START = Instant.parse("2025-11-01T02:00:00Z");

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  Instant now = START;
  Instant watched = START.minus(Duration.ofDays(1));
  RolloutRules rules =
      new RolloutRules(
          1, Duration.ofMinutes(30), Duration.ofMinutes(10), Optional.empty(), false, true);
  final Map<String, ServerPod> pods = new TreeMap<>();
  final Map<String, ServerPod> masters = new TreeMap<>();
  final Map<String, Server> living = new TreeMap<>();
  final Map<String, List<Region>> regions = new TreeMap<>();
  final Set<String> declared = new LinkedHashSet<>();
  final Set<String> draining = new HashSet<>();
  final Set<String> moving = new HashSet<>();
  final Set<String> crashed = new HashSet<>();
  final Set<String> halted = new HashSet<>();
  final Set<String> keptDraining = new HashSet<>();
  final Set<String> rolledBack = new HashSet<>();
  final Set<String> proven = new HashSet<>();
  final Set<String> goodBefore = new HashSet<>();
  final Map<String, String> refusedPods = new TreeMap<>();
  final Set<String> backups = new HashSet<>(Set.of(master(1)));
  Optional<String> active = Optional.of(master(0));
  boolean balancer;
  boolean normalizer;
  boolean isObserved = true;
  boolean isInfrastructureReady = true;
  boolean doesInfrastructureServe = true;
  boolean doesHBaseRespond = true;
  Optional<Instant> requestedAt = Optional.empty();
  Optional<Instant> serversAt = Optional.empty();
  Optional<Instant> settled = Optional.of(START.minusSeconds(60));
  CanaryVerdict verdict = new CanaryVerdict.Open();
  private PodStarts starts = PodStarts.NONE;
  Optional<Rollout> memory =
      Optional.of(
          Rollout.begin(START.minusSeconds(120)).withBefore(Optional.of(new Switches(true, true))));

  /** Servers 0 to n - 1 that are outdated, and two masters that are not. */
  static Scene outdated(int servers) {
    var scene = new Scene();
    for (int i = 0; i < servers; i++) {
      scene.add("", i);
    }
    scene.masters.put("hb-master-0", pod("hb-master-0", "", 0, false));
    scene.masters.put("hb-master-1", pod("hb-master-1", "", 1, false));
    return scene;
  }

  /** Three servers that need no restart. */
  static Scene upToDate() {
    var scene = outdated(3);
    scene.pods.replaceAll((name, pod) -> current(pod));
    return scene;
  }

  /** Server 2 of three gets no more regions, and has two. */
  static Scene draining() {
    var scene = outdated(3);
    scene.settle();
    scene.draining.add(rs(2));
    scene.settle();
    return scene;
  }

  Scene add(String group, int ordinal) {
    var name = name(group, ordinal);
    pods.put(name, pod(name, group, ordinal, true));
    declared.add(name);
    living.put(name, new Server(server(name, 1), 2));
    regions.put(name, List.of(region(name + "-a"), region(name + "-b")));
    return this;
  }

  static String name(String group, int ordinal) {
    return "hb-" + (group.isEmpty() ? "rs" : group) + "-" + ordinal;
  }

  static String master(int ordinal) {
    return server("hb-master-" + ordinal, 1);
  }

  static String server(String pod, int startCode) {
    return pod + ".hb.svc,16020," + startCode;
  }

  static String rs(int ordinal) {
    return server(name("", ordinal), 1);
  }

  static Region region(String name) {
    return new Region(name, false, false);
  }

  private static ServerPod pod(String name, String group, int ordinal, boolean isOutdated) {
    return new ServerPod(
        name,
        "uid-" + name,
        group,
        ordinal,
        isOutdated,
        isOutdated,
        true,
        false,
        false,
        0,
        false,
        Optional.empty());
  }

  Scene pod(int ordinal, UnaryOperator<ServerPod> change) {
    pods.computeIfPresent(name("", ordinal), (name, pod) -> change.apply(pod));
    return this;
  }

  Scene master(int ordinal, UnaryOperator<ServerPod> change) {
    masters.computeIfPresent("hb-master-" + ordinal, (name, pod) -> change.apply(pod));
    return this;
  }

  /** The pod is replaced by one that is up to date and serves. */
  Scene replaced(int ordinal) {
    pod(ordinal, it -> of(uid(it, it.uid() + "'"), false, false, false, it.isSurplus()));
    living.remove(name("", ordinal));
    return this;
  }

  Scene serving(int ordinal) {
    var name = name("", ordinal);
    pod(ordinal, Scene::ready);
    living.put(name, new Server(server(name, 2), 0));
    regions.put(name, List.of());
    return this;
  }

  Scene holds(int ordinal, String... names) {
    regions.put(name("", ordinal), Stream.of(names).map(Scene::region).toList());
    return this;
  }

  /** ZooKeeper and HDFS serve in all their pods, or not at all. */
  Scene infrastructure(boolean serves) {
    isInfrastructureReady = serves;
    doesInfrastructureServe = serves;
    return this;
  }

  Scene rules(int maxUnavailable, Optional<Duration> canary, boolean isPaused, boolean isOpen) {
    rules =
        new RolloutRules(
            maxUnavailable, rules.drainTimeout(), rules.startTimeout(), canary, isPaused, isOpen);
    return this;
  }

  static ServerPod uid(ServerPod it, String uid) {
    return new ServerPod(
        it.name(),
        uid,
        it.group(),
        it.ordinal(),
        it.isOutdated(),
        it.isChanged(),
        it.isReady(),
        it.isTerminating(),
        it.isSurplus(),
        it.restarts(),
        it.isEndedByNode(),
        it.trouble());
  }

  static ServerPod with(ServerPod it, PodTrouble trouble) {
    return new ServerPod(
        it.name(),
        it.uid(),
        it.group(),
        it.ordinal(),
        it.isOutdated(),
        it.isChanged(),
        it.isReady(),
        it.isTerminating(),
        it.isSurplus(),
        it.restarts(),
        it.isEndedByNode(),
        Optional.of(trouble));
  }

  private static ServerPod of(
      ServerPod it, boolean outdated, boolean ready, boolean terminating, boolean surplus) {
    return new ServerPod(
        it.name(),
        it.uid(),
        it.group(),
        it.ordinal(),
        outdated,
        outdated,
        ready,
        terminating,
        surplus,
        it.restarts(),
        it.isEndedByNode(),
        it.trouble());
  }

  static ServerPod current(ServerPod it) {
    return of(it, false, it.isReady(), it.isTerminating(), it.isSurplus());
  }

  static ServerPod changed(ServerPod it) {
    return of(it, true, it.isReady(), it.isTerminating(), it.isSurplus());
  }

  static ServerPod ready(ServerPod it) {
    return of(it, it.isOutdated(), true, it.isTerminating(), it.isSurplus());
  }

  static ServerPod unready(ServerPod it) {
    return of(it, it.isOutdated(), false, it.isTerminating(), it.isSurplus());
  }

  static ServerPod terminating(ServerPod it) {
    return of(it, it.isOutdated(), it.isReady(), true, it.isSurplus());
  }

  static ServerPod surplus(ServerPod it) {
    return of(it, it.isOutdated(), it.isReady(), it.isTerminating(), true);
  }

  /** A surplus one whose number is declared again. */
  static ServerPod declaredAgain(ServerPod it) {
    return of(it, false, true, false, false);
  }

  RolloutSnapshot snapshot() {
    var servers = new ArrayList<Server>();
    var regionsByServer = new TreeMap<String, List<Region>>();
    living.forEach(
        (pod, server) -> {
          var there = regions.get(pod);
          servers.add(new Server(server.name(), there.size()));
          regionsByServer.put(server.name(), there);
        });
    var time = Duration.between(Instant.EPOCH, now).toNanos();
    // A test that lets hours pass has reconciliations meanwhile.
    for (long at = starts.nanos().orElse(time) + MINUTE; at < time; at += MINUTE) {
      starts = starts.next(List.copyOf(pods.values()), declared, doesInfrastructureServe, at);
    }
    starts = starts.next(List.copyOf(pods.values()), declared, doesInfrastructureServe, time);
    return RolloutSnapshot.at(now)
        .watchedSince(watched)
        .rules(rules)
        .servers(List.copyOf(pods.values()))
        .declared(declared)
        .masters(List.copyOf(masters.values()))
        .declaredMasters(2)
        .templatesObserved(isObserved)
        .infrastructureReady(isInfrastructureReady)
        .infrastructureServes(doesInfrastructureServe)
        .hbase(
            doesHBaseRespond
                ? Optional.of(
                    new HBaseView(
                        requestedAt.orElse(now),
                        serversAt.or(() -> requestedAt).orElse(now),
                        active,
                        backups,
                        servers,
                        crashed,
                        moving,
                        draining,
                        balancer,
                        normalizer,
                        regionsByServer))
                : Optional.empty())
        .settledAt(settled)
        .refused(Set.of())
        .keptDraining(keptDraining)
        .proven(proven)
        .goodBefore(goodBefore)
        .refusedPods(refusedPods)
        .rolledBack(Stream.concat(halted.stream(), rolledBack.stream()).collect(Collectors.toSet()))
        .halted(halted)
        .starts(starts)
        .canaryVerdict(verdict)
        .build();
  }

  Decision decide() {
    return Roller.decide(snapshot(), memory);
  }

  /** Advances the time, decides and stores until the stored state does not change. */
  Decision settle() {
    for (int i = 0; i < 50; i++) {
      now = now.plusSeconds(1);
      var decision = decide();
      if (decision.remembered().equals(memory)) {
        return decision;
      }
      write(decision);
      if (decision.rolledBack().isPresent()) {
        return decision;
      }
    }
    throw new AssertionError("does not settle: " + memory);
  }

  /** Stores the decision's state. */
  private void write(Decision decision) {
    var before = memory.map(Rollout::passed).orElse(List.of());
    memory = decision.remembered();
    memory.map(Rollout::passed).orElse(List.of()).stream()
        .filter(it -> !before.contains(it))
        .forEach(it -> proven.add(it.canary().group()));
    decision.rolledBack().ifPresent(it -> rolledBack.add(it.group()));
  }

  Decision settleAfter(Duration time) {
    now = now.plus(time);
    return settle();
  }

  Optional<ServerRestart> restart(int ordinal) {
    return memory.flatMap(it -> it.restartOf(name("", ordinal)));
  }
}
