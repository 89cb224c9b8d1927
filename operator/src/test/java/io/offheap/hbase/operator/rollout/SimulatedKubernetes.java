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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A simulation of StatefulSets that replace deleted pods with the template that their controller
 * has seen, and of pods that take time to start and do not stop while their server has regions.
 */
final class SimulatedKubernetes {
  static final String MASTERS = "masters";
  private static final int GRACE = 1200;
  private static final Duration UNTIL_SILENT = Duration.ofSeconds(20);
  private static final Duration UNTIL_EVICTED = Duration.ofSeconds(60);

  private final Random random;
  private final SimulatedHBase hbase;
  private final Map<String, Group> groups = new TreeMap<>();
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private int uids;
  private Instant now;

  /** Whether there are nodes for new pods. */
  boolean hasRoom = true;

  /** Whether the API server creates pods: a quota may be full. */
  boolean isAdmitting = true;

  /** A StatefulSet and what is declared. */
  static final class Group {
    int declared;
    int replicas;
    int revision = 1;
    int older = 1;
    int observed = 1;
    Instant changed = Instant.MIN;

    /** When the revision became another one. */
    Instant since = Instant.MIN;

    boolean isRolledBack;
    boolean isHalted;
    Set<Integer> proven = Set.of(1);
  }

  /** A pod; revisions under zero do not start. */
  static final class Pod {
    String name;
    String uid;
    String group;
    int ordinal;
    int revision;
    Instant startsAt;
    Instant readyAt;
    Optional<Instant> deleted = Optional.empty();
    boolean isDeletedByUs;
    Optional<String> server = Optional.empty();
    boolean isPlaced;
    int restarts;
    boolean isEndedByNode;
    Optional<Outage> outage = Optional.empty();
  }

  /**
   * A time in which a pod's node does not report.
   *
   * @param wasReady whether the pod was ready before
   * @param isServerLost whether the pod's process has ended with the node
   */
  private record Outage(Instant since, Instant until, boolean wasReady, boolean isServerLost) {}

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

  SimulatedKubernetes(Random random, SimulatedHBase hbase, Instant now) {
    this.random = random;
    this.hbase = hbase;
    this.now = now;
  }

  /** A StatefulSet whose pods have run for long. */
  void start(String group, int replicas) {
    var made = new Group();
    made.declared = replicas;
    made.replicas = replicas;
    groups.put(group, made);
    for (int ordinal = 0; ordinal < replicas; ordinal++) {
      var pod = create(group, ordinal);
      pod.startsAt = now;
      pod.readyAt = now;
      startProcess(pod);
    }
  }

  private Pod create(String group, int ordinal) {
    var pod = new Pod();
    pod.name = podName(group, ordinal);
    pod.uid = "uid-" + ++uids;
    pod.group = group;
    pod.ordinal = ordinal;
    pod.revision = groups.get(group).observed;
    pod.startsAt = now.plusSeconds(2 + random.nextInt(5));
    pod.readyAt = pod.startsAt.plusSeconds(random.nextInt(4));
    pods.put(pod.name, pod);
    return pod;
  }

  static String podName(String group, int ordinal) {
    return "hb-" + (group.isEmpty() ? "rs" : group) + "-" + ordinal;
  }

  boolean isDeclared(String pod) {
    return groups.entrySet().stream()
        .anyMatch(
            it ->
                IntStream.range(0, it.getValue().declared)
                    .anyMatch(ordinal -> podName(it.getKey(), ordinal).equals(pod)));
  }

  private void startProcess(Pod pod) {
    pod.isPlaced = true;
    var server = pod.name + ".hb,16020," + now.toEpochMilli();
    pod.server = Optional.of(server);
    if (pod.group.equals(MASTERS)) {
      hbase.registerMaster(server);
    } else {
      hbase.register(server);
    }
  }

  private void endProcess(Pod pod, boolean isCrash) {
    pod.server.ifPresent(
        it -> {
          if (pod.group.equals(MASTERS)) {
            hbase.stopMaster(it);
          } else if (isCrash) {
            hbase.died(it, SimulatedHBase.SECONDS_TO_FIND_DEAD);
          } else {
            hbase.exited(it);
          }
        });
    pod.server = Optional.empty();
  }

  void declare(String group, int replicas) {
    var set = groups.get(group);
    set.declared = replicas;
    set.replicas = Math.max(set.replicas, replicas);
  }

  void change(String group, int revision) {
    var set = groups.get(group);
    set.since = set.revision == revision ? set.since : now;
    set.revision = revision;
    set.changed = now;
    set.isRolledBack = false;
    set.isHalted = false;
  }

  /** Rolls the change of a group back; without an older revision, the group is halted. */
  void rollBack(String group) {
    var set = groups.get(group);
    boolean isHalted = set.revision == set.older;
    if (!isHalted) {
      change(group, set.older);
    }
    set.isRolledBack = true;
    set.isHalted = isHalted;
  }

  void crash(String pod) {
    var it = pods.get(pod);
    if (it != null && it.server.isPresent()) {
      endProcess(it, true);
      it.restarts++;
      it.isEndedByNode = false;
      it.startsAt = now.plusSeconds(2 + random.nextInt(8));
      it.readyAt = it.startsAt.plusSeconds(2);
    }
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
    if (it != null && it.isPlaced && it.outage.isEmpty()) {
      it.outage = Optional.of(new Outage(now, now.plus(time), isReady(it), isServerLost));
      if (isServerLost) {
        it.server.ifPresent(server -> hbase.died(server, 5 + random.nextInt(40)));
        it.server = Optional.empty();
      }
    }
  }

  /** All nodes report again. */
  void heal() {
    pods.values().forEach(this::report);
  }

  private void report(Pod pod) {
    if (pod.outage.filter(Outage::isServerLost).isPresent()) {
      pod.restarts++;
      pod.isEndedByNode = true;
      pod.startsAt = now.plusSeconds(2 + random.nextInt(8));
      pod.readyAt = pod.startsAt.plusSeconds(2);
    }
    pod.outage = Optional.empty();
  }

  private boolean isSilent(Pod pod) {
    return pod.outage.filter(it -> !now.isBefore(it.since().plus(UNTIL_SILENT))).isPresent();
  }

  void delete(String pod, String uid, boolean isByUs) {
    var it = pods.get(pod);
    if (it != null && it.uid.equals(uid) && it.deleted.isEmpty()) {
      it.deleted = Optional.of(now);
      it.isDeletedByUs = isByUs;
    }
  }

  /** Advances the time by a second. */
  void tick(Instant time) {
    now = time;
    for (var group : groups.entrySet()) {
      var set = group.getValue();
      if (now.isAfter(set.changed.plusSeconds(3))) {
        set.observed = set.revision;
      }
      for (int ordinal = 0; ordinal < set.replicas; ordinal++) {
        if (isAdmitting && !pods.containsKey(podName(group.getKey(), ordinal))) {
          create(group.getKey(), ordinal);
        }
      }
      of(group.getKey()).stream()
          .filter(it -> it.ordinal >= set.replicas)
          .max(Comparator.comparing(it -> it.ordinal))
          .ifPresent(it -> delete(it.name, it.uid, true));
    }
    for (Pod pod : List.copyOf(pods.values())) {
      if (pod.outage.filter(it -> !now.isBefore(it.until())).isPresent()) {
        report(pod);
      }
      if (pod.outage.filter(it -> !now.isBefore(it.since().plus(UNTIL_EVICTED))).isPresent()) {
        delete(pod.name, pod.uid, false);
      }
      if (pod.outage.isPresent()) {
        continue;
      }
      if (pod.deleted.isPresent()) {
        stop(pod);
      } else if (pod.server.isEmpty()
          && pod.revision > 0
          && !now.isBefore(pod.startsAt)
          && (hasRoom || pod.isPlaced)) {
        startProcess(pod);
      }
    }
  }

  private void stop(Pod pod) {
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

  Group group(String name) {
    return groups.get(name);
  }

  Map<String, Group> groups() {
    return groups;
  }

  Optional<Pod> pod(String name) {
    return Optional.ofNullable(pods.get(name));
  }

  List<Pod> of(String group) {
    return new ArrayList<>(
        pods.values().stream()
            .filter(it -> it.group.equals(group))
            .sorted(Comparator.comparing(it -> it.ordinal))
            .toList());
  }

  boolean serves(Pod pod) {
    return isStarted(pod) && pod.deleted.isEmpty();
  }

  private boolean isStarted(Pod pod) {
    return pod.server.isPresent() && !now.isBefore(pod.readyAt);
  }

  /** As Kubernetes reports it: the last report of a node counts until the node is silent. */
  private boolean isReady(Pod pod) {
    return pod.outage.map(it -> it.wasReady() && !isSilent(pod)).orElse(isStarted(pod));
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
                    isReady(it),
                    it.deleted.isPresent(),
                    it.restarts,
                    it.isEndedByNode,
                    trouble(it)))
        .toList();
  }

  /** Of revisions under zero, odd ones end at their start, and the others hang. */
  private Optional<PodTrouble> trouble(Pod pod) {
    if (isSilent(pod) && pod.outage.get().wasReady()) {
      return Optional.of(new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node"));
    }
    boolean hasNode = hasRoom || pod.isPlaced;
    if (!hasNode) {
      return Optional.of(new PodTrouble(PodTrouble.Kind.NO_NODE, "0/3 nodes are available"));
    }
    return pod.revision < 0 && pod.revision % 2 != 0 && now.isAfter(pod.startsAt.plusSeconds(12))
        ? Optional.of(new PodTrouble(PodTrouble.Kind.EXITS, "exited twice, last with code 1"))
        : Optional.empty();
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
