package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A simulation of the operator around {@link Roller}: it reads HBase and a list of pods that may be
 * old, stores the state before it acts, and sends commands that arrive late.
 */
final class SimulatedOperator {
  private static final Duration PARTS_KEPT = Duration.ofMinutes(1);

  private final Simulation world;
  private final Random random;
  private final int podsAge;
  private final CommandsInTransit commands;

  /** The last lists, the oldest first. */
  private final Deque<Map<String, List<SimulatedKubernetes.Seen>>> lists = new ArrayDeque<>();

  private Optional<HBaseView> begun = Optional.empty();
  private Optional<HBaseView> view = Optional.empty();
  private Instant nextPoll = Instant.MIN;
  private Watch watch;
  private List<ServerSample> samples = List.of();
  private Instant nextSamples = Instant.MIN;
  private PodStarts starts = PodStarts.NONE;

  /** Where an operator ends. */
  enum End {
    BEFORE_WRITING,
    AFTER_WRITING,
    AMONG_ACTIONS
  }

  SimulatedOperator(Simulation world, Random random, int podsAge) {
    this.world = world;
    this.random = random;
    this.podsAge = podsAge;
    this.commands = new CommandsInTransit(world, random);
    this.watch = Watch.begin(world.clock(), nanos());
  }

  /** Delivers commands that are due, also of an ended operator. */
  void deliver() {
    commands.deliver();
  }

  void poll() {
    var now = world.now();
    lists.addLast(list());
    if (lists.size() > podsAge + 1) {
      lists.removeFirst();
    }
    if (begun.isPresent()) {
      var master = begun.get();
      var wanted =
          master.servers().stream()
              .filter(
                  it -> world.memory().filter(at -> at.restartOf(it.pod()).isPresent()).isPresent())
              .map(HBaseView.Server::name)
              .toList();
      view =
          Optional.of(
              new HBaseView(
                  master.requestedAt(),
                  master.serversAt(),
                  master.activeMaster(),
                  master.backupMasters(),
                  master.servers(),
                  master.crashed(),
                  master.inTransition(),
                  master.draining(),
                  master.isBalancerOn(),
                  master.isNormalizerOn(),
                  world.hbase().reportedRegions(wanted)));
      begun = Optional.empty();
      nextPoll = now.plusSeconds(random.nextInt(podsAge + 2));
    } else if (!now.isBefore(nextPoll)) {
      begun = world.hbase().masterReport().map(it -> withKeptParts(it.at(world.clock())));
    }
    if (world.memory().flatMap(Rollout::canary).isEmpty()) {
      samples = List.of();
    } else if (!now.isBefore(nextSamples)) {
      nextSamples = now.plusSeconds(5);
      samples =
          world.kubernetes().serverGroups().stream()
              .flatMap(it -> world.kubernetes().of(it).stream())
              .flatMap(it -> world.metrics().sample(it).stream())
              .toList();
    }
  }

  /** At rest, parts of the last view are kept for a minute while its servers are the same. */
  private HBaseView withKeptParts(HBaseView now) {
    var settled = commands.settledAt();
    return view.filter(it -> world.memory().isEmpty())
        .filter(it -> settled.filter(it.requestedAt()::isAfter).isPresent())
        .filter(it -> it.crashed().isEmpty() && it.activeMaster().equals(now.activeMaster()))
        .filter(it -> names(it).equals(names(now)))
        .filter(it -> !it.requestedAt().isAfter(now.serversAt()))
        .filter(it -> it.requestedAt().plus(PARTS_KEPT).isAfter(now.serversAt()))
        .map(
            it ->
                HBaseViewBuilder.builder(now)
                    .requestedAt(it.requestedAt())
                    .crashed(it.crashed())
                    .draining(it.draining())
                    .isNormalizerOn(it.isNormalizerOn())
                    .build())
        .orElse(now);
  }

  private static Set<String> names(HBaseView view) {
    return view.servers().stream().map(HBaseView.Server::name).collect(Collectors.toSet());
  }

  private Map<String, List<SimulatedKubernetes.Seen>> list() {
    var listed = new TreeMap<String, List<SimulatedKubernetes.Seen>>();
    world
        .kubernetes()
        .groups()
        .keySet()
        .forEach(it -> listed.put(it, world.kubernetes().listed(it)));
    return listed;
  }

  /** Pods are observed late. */
  private Map<String, List<SimulatedKubernetes.Seen>> observed() {
    return lists.getFirst();
  }

  /** Whether a pod is as it was observed. */
  private boolean isUnchanged(String pod) {
    return find(pod, observed()).equals(find(pod, list()));
  }

  private static Optional<SimulatedKubernetes.Seen> find(
      String pod, Map<String, List<SimulatedKubernetes.Seen>> listed) {
    return listed.values().stream()
        .flatMap(List::stream)
        .filter(it -> it.name().equals(pod))
        .findFirst();
  }

  RolloutSnapshot snapshot() {
    var kubernetes = world.kubernetes();
    // Declared and stored state are in the same resource.
    var listed = observed();
    var servers = new ArrayList<ServerPod>();
    var declared = new LinkedHashSet<String>();
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              if (!name.equals(SimulatedKubernetes.MASTERS)) {
                listed.get(name).stream().map(kubernetes::beside).forEach(servers::add);
                for (int ordinal = 0; ordinal < group.declared; ordinal++) {
                  declared.add(SimulatedKubernetes.podName(name, ordinal));
                }
              }
            });
    var masters = listed.get(SimulatedKubernetes.MASTERS).stream().map(kubernetes::beside).toList();
    var infrastructure = world.infrastructure();
    starts = starts.next(servers, declared, infrastructure.isReportedServing(), nanos());
    var halted = new HashSet<String>();
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              if (group.isHalted) {
                halted.add(name);
              }
            });
    var rolledBack = new HashSet<String>();
    var proven = new HashSet<String>();
    var goodBefore = new HashSet<String>();
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              if (group.isRolledBack) {
                rolledBack.add(name);
              }
              if (group.proven.contains(group.revision)) {
                proven.add(name);
              } else if (group.hasOlder()) {
                goodBefore.add(name);
              }
            });
    return RolloutSnapshot.at(world.clock())
        .watchedSince(watch.since())
        .rules(world.rules())
        .servers(servers)
        .declared(declared)
        .masters(masters)
        .declaredMasters(kubernetes.group(SimulatedKubernetes.MASTERS).declared)
        .templatesObserved(kubernetes.areTemplatesObserved())
        .infrastructureReady(infrastructure.isReportedReady())
        .infrastructureServes(infrastructure.isReportedServing())
        .hbase(view)
        .settledAt(commands.settledAt())
        .refused(commands.refused())
        .proven(proven)
        .goodBefore(goodBefore)
        .rolledBack(rolledBack)
        .halted(halted)
        .refusedPods(refusedPods(servers, declared, masters))
        .starts(starts)
        .canaryVerdict(verdict(servers, declared))
        .build();
  }

  private boolean isLeaving(String pod) {
    return world
        .memory()
        .flatMap(it -> it.restartOf(pod))
        .filter(it -> it.cause() != ServerRestart.Cause.SCALE_DOWN)
        .filter(it -> it.step() == ServerRestart.Step.DRAIN || it.step() == ServerRestart.Step.STOP)
        .isPresent();
  }

  /** Those that are to be restarted or are leaving, and those that are missing. */
  private Map<String, String> refusedPods(
      List<ServerPod> servers, Set<String> declared, List<ServerPod> masters) {
    if (world.kubernetes().isAdmitting) {
      return Map.of();
    }
    var wanted = new HashSet<>(declared);
    for (int i = 0; i < world.kubernetes().group(SimulatedKubernetes.MASTERS).declared; i++) {
      wanted.add(SimulatedKubernetes.podName(SimulatedKubernetes.MASTERS, i));
    }
    for (ServerPod pod : Stream.concat(servers.stream(), masters.stream()).toList()) {
      wanted.remove(pod.name());
      if (pod.isOutdated() || isLeaving(pod.name())) {
        wanted.add(pod.name());
      }
    }
    return wanted.stream().collect(Collectors.toMap(it -> it, it -> "exceeded quota: q"));
  }

  private CanaryVerdict verdict(List<ServerPod> servers, Set<String> declared) {
    var canary = world.memory().flatMap(Rollout::canary);
    return canary
        .flatMap(it -> servers.stream().filter(pod -> pod.name().equals(it.pod())).findFirst())
        .map(
            pod ->
                window(canary.get())
                    .verdict(
                        pod,
                        view,
                        world.writes().samples(),
                        samples,
                        canary.get().peers(servers, declared),
                        starts))
        .orElseGet(CanaryVerdict.Open::new);
  }

  private CanaryWindow window(Rollout.Canary canary) {
    return new CanaryWindow(
        canary, world.rules().canaryWindow().orElse(Duration.ZERO), watch.since(), world.clock());
  }

  /** A reconciliation, which may be the last; true if it stored or did something. */
  boolean reconcile(Optional<End> end) {
    watch = watch.next(world.clock(), nanos());
    world.writes().apply();
    var stored = world.memory();
    var snapshot = snapshot();
    var decision = Roller.decide(snapshot, stored);
    world.decided(snapshot, decision);
    if (end.isEmpty()) {
      report(snapshot, decision);
    }
    boolean isNews = !decision.remembered().equals(stored) || decision.rolledBack().isPresent();
    if (isNews) {
      if (!end.equals(Optional.of(End.BEFORE_WRITING))) {
        world.writes().remember(decision.remembered(), decision.rolledBack());
      }
      return true;
    }
    if (end.isPresent() && end.get() != End.AMONG_ACTIONS) {
      return !decision.actions().isEmpty();
    }
    int count = end.isPresent() ? (decision.actions().size() + 1) / 2 : decision.actions().size();
    decision.actions().stream().limit(count).forEach(this::act);
    return !decision.actions().isEmpty();
  }

  /** Stores the other results of a reconciliation. */
  private void report(RolloutSnapshot snapshot, Decision decision) {
    var writes = world.writes();
    world
        .memory()
        .flatMap(Rollout::canary)
        .map(this::window)
        .ifPresent(it -> writes.rememberSamples(it.first(writes.samples(), samples)));
    var watched = decision.remembered().flatMap(Rollout::canary).map(Rollout.Canary::group);
    for (String group : world.kubernetes().groups().keySet()) {
      var pods = snapshot.servers().stream().filter(it -> it.group().equals(group)).toList();
      boolean isWhole =
          pods.size() == world.kubernetes().group(group).declared
              && pods.stream().allMatch(it -> it.isReady() && !it.isOutdated());
      if (isWhole && !watched.equals(Optional.of(group))) {
        writes.prove(group, true);
      }
    }
  }

  private long nanos() {
    return Duration.between(Instant.EPOCH, world.now()).toNanos();
  }

  private void act(Action action) {
    if (action instanceof Action.DeletePod delete) {
      // With the version that was observed, the API server refuses the deletion of a changed pod.
      if (isUnchanged(delete.pod())) {
        world.writes().delete(delete.pod(), delete.uid());
      }
    } else if (action instanceof Action.SendCommand send) {
      commands.send(send.command());
    }
  }
}
