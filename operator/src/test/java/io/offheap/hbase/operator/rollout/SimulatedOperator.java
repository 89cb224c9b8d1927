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

/**
 * A simulation of the operator around {@link Roller}: it reads HBase and a list of pods that may be
 * old, stores the state before it acts, and sends commands that arrive late.
 */
final class SimulatedOperator {
  private static final int MOVES_AT_A_TIME = 4;

  private final Simulation world;
  private final Random random;
  private final int podsAge;
  private final List<Sent> sent = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();

  /** The last lists, the oldest first. */
  private final Deque<Map<String, List<SimulatedKubernetes.Seen>>> lists = new ArrayDeque<>();

  private Optional<HBaseView> begun = Optional.empty();
  private Optional<HBaseView> view = Optional.empty();
  private Instant nextPoll = Instant.MIN;
  private Instant settled;
  private Watch watch;
  private List<ServerSample> samples = List.of();
  private Instant nextSamples = Instant.MIN;
  private PodStarts starts = PodStarts.NONE;

  /** A command on its way. */
  private static final class Sent {
    private final HBaseCommand command;
    private final Instant arrives;
    private final Instant responded;
    private boolean arrived;

    Sent(HBaseCommand command, Instant arrives, Instant responded) {
      this.command = command;
      this.arrives = arrives;
      this.responded = responded;
    }

    HBaseCommand command() {
      return command;
    }

    Instant arrives() {
      return arrives;
    }

    Instant responded() {
      return responded;
    }

    boolean isArrived() {
      return arrived;
    }
  }

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
    this.settled = world.clock();
    this.watch = Watch.begin(world.clock(), nanos());
  }

  /** Delivers commands that are due, also of an ended operator. */
  void deliver() {
    var now = world.now();
    for (Sent command : List.copyOf(sent)) {
      if (!command.isArrived() && !now.isBefore(command.arrives())) {
        command.arrived = true;
        boolean isDone = world.hbase().arrived(command.command());
        if (command.command() instanceof HBaseCommand.Move move) {
          refused.remove(move.encodedRegion());
          if (!isDone) {
            refused.add(move.encodedRegion());
          }
        }
      }
      if (!now.isBefore(command.responded())) {
        sent.remove(command);
        settled = world.clock();
      }
    }
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
                  master.activeMaster(),
                  master.backupMasters(),
                  master.servers(),
                  master.crashed(),
                  master.inTransition(),
                  master.draining(),
                  master.isBalancerOn(),
                  master.isNormalizerOn(),
                  world.hbase().serversSay(wanted)));
      begun = Optional.empty();
      nextPoll = now.plusSeconds(random.nextInt(podsAge + 2));
    } else if (!now.isBefore(nextPoll)) {
      begun = world.hbase().masterSays().map(it -> it.at(world.clock()));
    }
    if (world.memory().flatMap(Rollout::canary).isEmpty()) {
      samples = List.of();
    } else if (!now.isBefore(nextSamples)) {
      nextSamples = now.plusSeconds(5);
      samples =
          world.kubernetes().groups().keySet().stream()
              .filter(it -> !it.equals(SimulatedKubernetes.MASTERS))
              .flatMap(it -> world.kubernetes().of(it).stream())
              .flatMap(it -> world.sample(it).stream())
              .toList();
    }
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
    starts = starts.next(servers, declared, true, nanos());
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
              } else {
                goodBefore.add(name);
              }
            });
    return RolloutSnapshot.at(world.clock())
        .watchedSince(watch.since())
        .rules(world.rules())
        .servers(servers)
        .declared(declared)
        .masters(listed.get(SimulatedKubernetes.MASTERS).stream().map(kubernetes::beside).toList())
        .declaredMasters(kubernetes.group(SimulatedKubernetes.MASTERS).declared)
        .templatesObserved(
            kubernetes.groups().values().stream().allMatch(it -> it.observed == it.revision))
        .infrastructureReady(true)
        .infrastructureServes(true)
        .hbase(view)
        .settledAt(sent.isEmpty() ? Optional.of(settled) : Optional.empty())
        .refused(refused)
        .proven(proven)
        .goodBefore(goodBefore)
        .rolledBack(rolledBack)
        .halted(halted)
        .refusedPods(refusedPods(servers, declared))
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
  private Map<String, String> refusedPods(List<ServerPod> servers, Set<String> declared) {
    if (world.kubernetes().isAdmitting) {
      return Map.of();
    }
    var refused = new TreeMap<String, String>();
    declared.forEach(it -> refused.put(it, "exceeded quota: q"));
    servers.forEach(it -> refused.remove(it.name()));
    servers.stream()
        .filter(it -> it.isOutdated() || isLeaving(it.name()))
        .forEach(it -> refused.put(it.name(), "exceeded quota: q"));
    return refused;
  }

  private CanaryVerdict verdict(List<ServerPod> servers, Set<String> declared) {
    var canary = world.memory().flatMap(Rollout::canary);
    return canary
        .flatMap(it -> servers.stream().filter(pod -> pod.name().equals(it.pod())).findFirst())
        .map(
            pod ->
                window(canary.get())
                    .verdict(
                        pod, view, world.samples(), samples, canary.get().peers(servers, declared)))
        .orElseGet(CanaryVerdict.Open::new);
  }

  private CanaryWindow window(Rollout.Canary canary) {
    return new CanaryWindow(
        canary, world.rules().canaryWindow().orElse(Duration.ZERO), watch.since(), world.clock());
  }

  /** A reconciliation, which may be the last; true if it stored or did something. */
  boolean pass(Optional<End> end) {
    watch = watch.next(world.clock(), nanos());
    world.shrink();
    var stored = world.memory();
    var snapshot = snapshot();
    var decision = Roller.decide(snapshot, stored);
    world.decided(decision);
    if (end.isEmpty()) {
      report(snapshot, decision);
    }
    boolean isNews = !decision.remembered().equals(stored) || decision.rolledBack().isPresent();
    if (isNews) {
      if (!end.equals(Optional.of(End.BEFORE_WRITING))) {
        world.remember(decision.remembered(), decision.rolledBack());
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
    world
        .memory()
        .flatMap(Rollout::canary)
        .map(this::window)
        .ifPresent(it -> world.rememberSamples(it.first(world.samples(), samples)));
    var watched = decision.remembered().flatMap(Rollout::canary).map(Rollout.Canary::group);
    for (String group : world.kubernetes().groups().keySet()) {
      var pods = snapshot.servers().stream().filter(it -> it.group().equals(group)).toList();
      boolean isWhole =
          pods.size() == world.kubernetes().group(group).declared
              && pods.stream().allMatch(it -> it.isReady() && !it.isOutdated());
      if (isWhole && !watched.equals(Optional.of(group))) {
        world.prove(group, true);
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
        world.delete(delete.pod(), delete.uid());
      }
    } else if (action instanceof Action.SendCommand send) {
      send(send.command());
    }
  }

  private void send(HBaseCommand command) {
    boolean isMove = command instanceof HBaseCommand.Move;
    long moves = sent.stream().filter(it -> it.command() instanceof HBaseCommand.Move).count();
    if (world.isRefused("command")) {
      return;
    }
    if (sent.stream().anyMatch(it -> subject(it.command()).equals(subject(command)))
        || (isMove && moves >= MOVES_AT_A_TIME)) {
      return;
    }
    var arrives = world.now().plusSeconds(1 + random.nextInt(3));
    sent.add(new Sent(command, arrives, arrives.plusSeconds(random.nextInt(isMove ? 8 : 3))));
  }

  private static String subject(HBaseCommand command) {
    if (command instanceof HBaseCommand.Move move) {
      return move.encodedRegion();
    } else if (command instanceof HBaseCommand.Decommission it) {
      return it.server();
    } else if (command instanceof HBaseCommand.Recommission it) {
      return it.server();
    }
    return command.getClass().getSimpleName();
  }
}
