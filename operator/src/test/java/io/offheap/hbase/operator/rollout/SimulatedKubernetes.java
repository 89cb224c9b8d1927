package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A simulation of StatefulSets that replace deleted pods with the template that their controller
 * has seen, and of pods that take time to start and do not stop while their server has regions.
 */
final class SimulatedKubernetes {
  static final String MASTERS = "masters";
  private static final int GRACE = 1200;

  private final Random random;
  private final SimulatedHBase hbase;
  private final SimulatedInfrastructure infrastructure;
  private final Map<String, SimulatedStatefulSet> groups = new TreeMap<>();
  private final Map<String, SimulatedPod> pods = new LinkedHashMap<>();

  private final List<EndInOutage> endsInOutages = new ArrayList<>();

  /** When a process last waited for ZooKeeper or HDFS in vain, by its pod's name. */
  private final Map<String, Instant> keptWaitingAt = new TreeMap<>();

  private int uids;
  private Instant now;

  /** Whether there are nodes for new pods. */
  boolean hasRoom = true;

  /** Whether the API server creates pods: a quota may be full. */
  boolean isAdmitting = true;

  /** The end of a server that could not write its log. */
  private record EndInOutage(String pod, Instant at) {}

  /** An observed pod. */
  record Seen(
      String name,
      String uid,
      String group,
      int ordinal,
      int revision,
      boolean isReady,
      boolean isTerminating,
      int restarts,
      boolean isEndedByNode,
      Optional<PodTrouble> trouble) {}

  SimulatedKubernetes(
      Random random, SimulatedHBase hbase, SimulatedInfrastructure infrastructure, Instant now) {
    this.random = random;
    this.hbase = hbase;
    this.infrastructure = infrastructure;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  /** A StatefulSet whose pods have run for long. */
  void start(String group, int replicas) {
    groups.put(group, new SimulatedStatefulSet(replicas));
    for (int ordinal = 0; ordinal < replicas; ordinal++) {
      var pod = create(group, ordinal, now, now);
      pod.advance(now, true);
      register(pod);
    }
  }

  private SimulatedPod create(String group, int ordinal, Instant startsAt, Instant readyAt) {
    var pod =
        new SimulatedPod(
            podName(group, ordinal),
            "uid-" + ++uids,
            group,
            ordinal,
            groups.get(group).observed,
            startsAt,
            readyAt);
    pods.put(pod.name, pod);
    return pod;
  }

  private void create(String group, int ordinal) {
    var startsAt = now.plusSeconds(2 + random.nextInt(5));
    create(group, ordinal, startsAt, startsAt.plusSeconds(random.nextInt(4)));
  }

  static String podName(String group, int ordinal) {
    return prefix(group) + ordinal;
  }

  /** Whether a name is that of a group's pod. */
  static boolean isOf(String group, String pod) {
    return pod.startsWith(prefix(group));
  }

  private static String prefix(String group) {
    return "hb-" + (group.isEmpty() ? "rs" : group) + "-";
  }

  boolean isDeclared(String pod) {
    return groups.entrySet().stream()
        .anyMatch(
            it ->
                IntStream.range(0, it.getValue().declared)
                    .anyMatch(ordinal -> podName(it.getKey(), ordinal).equals(pod)));
  }

  /**
   * The process of a pod begins, waits, starts or exits. A region server that has started waits for
   * an active master.
   */
  private void run(SimulatedPod pod) {
    if (!infrastructure.serves()) {
      keptWaitingAt.put(pod.name, now);
    }
    if (pod.advance(now, infrastructure.serves())
        && (pod.group.equals(MASTERS) || hbase.hasActiveMaster())) {
      register(pod);
    }
  }

  private void register(SimulatedPod pod) {
    var server = pod.name + ".hb,16020," + now.toEpochMilli();
    pod.server = Optional.of(server);
    if (pod.group.equals(MASTERS)) {
      hbase.registerMaster(server);
    } else {
      hbase.register(server);
    }
  }

  private void endProcess(SimulatedPod pod, boolean isCrash) {
    pod.server.ifPresent(
        it -> {
          if (isCrash) {
            hbase.died(it, SimulatedHBase.SECONDS_TO_FIND_DEAD);
          } else {
            hbase.exited(it);
          }
        });
    pod.server = Optional.empty();
  }

  void declare(String group, int replicas) {
    groups.get(group).declared = replicas;
  }

  void change(String group, int revision) {
    groups.get(group).change(revision, now);
  }

  /** The operator writes a declared revision into its StatefulSet. */
  void apply(SimulatedStatefulSet set) {
    set.apply(now);
  }

  /** Whether deleted pods would be created as they are declared now. */
  boolean areTemplatesObserved() {
    return groups.values().stream().allMatch(SimulatedStatefulSet::isObserved);
  }

  void rollBack(String group) {
    groups.get(group).rollBack(now);
  }

  /** Ends the process of a pod; false if it has none, or one that waits to start. */
  boolean crash(String pod) {
    var it = pods.get(pod);
    boolean isRunning = it != null && it.server.isPresent();
    if (isRunning) {
      endProcess(it, true);
      it.restart(now.plusSeconds(2 + random.nextInt(8)), false);
    }
    return isRunning;
  }

  /** Ends the pod at once and without a drain, like the loss of its node. */
  void lose(String pod) {
    Optional.ofNullable(pods.remove(pod)).ifPresent(it -> endProcess(it, true));
  }

  /**
   * The node of a pod does not report for a time: Kubernetes withdraws the pod's readiness, and
   * evicts it if that lasts.
   */
  void silence(String pod, boolean isServerLost, Duration time) {
    var it = pods.get(pod);
    if (it != null && it.silence(now, time, isServerLost) && isServerLost) {
      it.server.ifPresent(server -> hbase.died(server, 5 + random.nextInt(40)));
      it.server = Optional.empty();
    }
  }

  /** The kubelet ends a pod that runs; false if it does not, or terminates already. */
  boolean evict(String pod) {
    var it = pods.get(pod);
    boolean isRunning =
        it != null && it.server.isPresent() && !it.isUnreported() && it.deleted.isEmpty();
    if (isRunning) {
      endProcess(it, false);
      it.isEvicted = true;
    }
    return isRunning;
  }

  /** All nodes report again. */
  void heal() {
    pods.values().forEach(this::report);
  }

  private void report(SimulatedPod pod) {
    pod.report(now.plusSeconds(2 + random.nextInt(8)));
  }

  void delete(String pod, String uid) {
    var it = pods.get(pod);
    if (it != null && it.uid.equals(uid) && it.deleted.isEmpty()) {
      it.deleted = Optional.of(now);
    }
  }

  /** Advances the time by a second. */
  void tick(Instant time) {
    now = time;
    for (var group : groups.entrySet()) {
      var set = group.getValue();
      set.tick(now);
      for (int ordinal = 0; ordinal < set.replicas; ordinal++) {
        if (isAdmitting && !pods.containsKey(podName(group.getKey(), ordinal))) {
          create(group.getKey(), ordinal);
        }
      }
      of(group.getKey()).stream()
          .filter(it -> it.ordinal >= set.replicas)
          .max(Comparator.comparing(it -> it.ordinal))
          .ifPresent(it -> delete(it.name, it.uid));
    }
    for (SimulatedPod pod : List.copyOf(pods.values())) {
      if (pod.isToReport(now)) {
        report(pod);
      }
      // By the controller of nodes, or by that of the StatefulSet.
      if (pod.isToBeEvicted(now) || (pod.isEvicted && random.nextInt(3) == 0)) {
        delete(pod.name, pod.uid);
      }
      if (pod.isUnreported()) {
        continue;
      }
      if (pod.deleted.isPresent()) {
        stop(pod);
      } else if (cannotWrite(pod)) {
        endProcess(pod, true);
        pod.endInOutage(now.plusSeconds(2 + random.nextInt(8)));
        endsInOutages.add(new EndInOutage(pod.name, now));
      } else if (pod.isDue(now, hasRoom)) {
        run(pod);
      }
    }
  }

  /** In the mean, a server tries to write its log for a minute. */
  private boolean cannotWrite(SimulatedPod pod) {
    return pod.server.isPresent()
        && !pod.group.equals(MASTERS)
        && infrastructure.endsServers()
        && random.nextInt(60) == 0;
  }

  /** How often a server that a text names ended in an outage since its group's last change. */
  long endsInOutages(String group, String text, Instant until) {
    return endsInOutages.stream()
        .filter(it -> isOf(group, it.pod()) && !it.at().isBefore(groups.get(group).since))
        .filter(it -> (" " + text).contains(" " + it.pod() + " "))
        .filter(it -> !it.at().isAfter(until))
        .count();
  }

  /** Whether the pod that a text begins with waited for ZooKeeper or HDFS in vain after a time. */
  boolean wasKeptWaiting(String text, Instant after) {
    return keptWaitingAt.entrySet().stream()
        .anyMatch(it -> text.startsWith(it.getKey() + " ") && it.getValue().isAfter(after));
  }

  private void stop(SimulatedPod pod) {
    boolean isEmpty = pod.server.filter(it -> !hbase.on(it).isEmpty()).isEmpty();
    boolean hasOneServer =
        pods.values().stream().filter(it -> !it.group.equals(MASTERS)).count() == 1;
    var deleted = pod.deleted.get();
    if ((now.isAfter(deleted.plusSeconds(2)) && (isEmpty || hasOneServer))
        || now.isAfter(deleted.plusSeconds(GRACE))) {
      endProcess(pod, false);
      pods.remove(pod.name);
    }
  }

  SimulatedStatefulSet group(String name) {
    return groups.get(name);
  }

  Map<String, SimulatedStatefulSet> groups() {
    return groups;
  }

  /** The groups of region servers. */
  List<String> serverGroups() {
    return groups.keySet().stream().filter(it -> !it.equals(MASTERS)).toList();
  }

  /** How many region servers are declared. */
  int declaredServers() {
    return serverGroups().stream().mapToInt(it -> groups.get(it).declared).sum();
  }

  Optional<SimulatedPod> pod(String name) {
    return Optional.ofNullable(pods.get(name));
  }

  List<SimulatedPod> of(String group) {
    return new ArrayList<>(
        pods.values().stream()
            .filter(it -> it.group.equals(group))
            .sorted(Comparator.comparing(it -> it.ordinal))
            .toList());
  }

  boolean serves(SimulatedPod pod) {
    return pod.isStarted(now) && pod.deleted.isEmpty();
  }

  /** Whether a group's pods all serve with its revision. */
  boolean isAsDeclared(String group) {
    var set = groups.get(group);
    return of(group).size() == set.declared
        && of(group).stream().allMatch(it -> it.revision == set.revision && serves(it));
  }

  /** A group's pods as they are listed. */
  List<Seen> listed(String group) {
    return of(group).stream()
        .map(
            it ->
                new Seen(
                    it.name,
                    it.uid,
                    it.group,
                    it.ordinal,
                    it.revision,
                    it.isReady(now),
                    it.deleted.isPresent(),
                    it.ends,
                    it.isEndedByNode,
                    it.trouble(now, hasRoom)))
        .toList();
  }

  /** The same beside what is declared now. */
  ServerPod beside(Seen pod) {
    var set = groups.get(pod.group());
    boolean isChanged = pod.revision() != set.revision;
    return new ServerPod(
        pod.name(),
        pod.uid(),
        pod.group(),
        pod.ordinal(),
        isChanged,
        isChanged,
        pod.isReady() && !pod.isTerminating(),
        pod.isTerminating(),
        pod.ordinal() >= set.declared,
        pod.restarts(),
        pod.isEndedByNode(),
        pod.trouble());
  }
}
