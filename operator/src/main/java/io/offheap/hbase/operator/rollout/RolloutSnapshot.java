package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The input of a decision.
 *
 * @param now the time
 * @param watchedSince since when this process has watched the cluster without a break, by the same
 *     clock: what others remembered before, or by a clock that has jumped, counts from here
 * @param rules what is declared about restarts
 * @param servers the pods of all groups of region servers that exist, in the order of their groups
 *     and ordinals
 * @param declared names of the region servers' pods that there should be
 * @param masters the masters' pods that exist
 * @param declaredMasters how many masters there should be
 * @param areTemplatesObserved whether Kubernetes would make a deleted pod as it is declared now
 * @param isInfrastructureReady whether ZooKeeper and HDFS, where managed, are all there and as
 *     declared
 * @param hbase HBase's last view
 * @param settledAt when the last command to HBase ended; empty while one is under way
 * @param refused regions that HBase last refused to move
 * @param proven groups of which it is known that servers serve with what they are to have: all of
 *     them did, or a canary did that was compared with its peers
 * @param goodBefore of the others, those of which it is known of something that they had before
 * @param rolledBack groups whose change was rolled back
 * @param halted of those, groups whose change is not to go on, with nothing that could take its
 *     place
 * @param refusedPods pods that the API server would not create as they are declared now, with its
 *     message; of no others is anything known
 * @param canaryVerdict the result of the comparison of the canary with its peers so far
 */
public record RolloutSnapshot(
    Instant now,
    Instant watchedSince,
    RolloutRules rules,
    List<ServerPod> servers,
    Set<String> declared,
    List<ServerPod> masters,
    int declaredMasters,
    boolean areTemplatesObserved,
    boolean isInfrastructureReady,
    Optional<HBaseView> hbase,
    Optional<Instant> settledAt,
    Set<String> refused,
    Set<String> proven,
    Set<String> goodBefore,
    Set<String> rolledBack,
    Set<String> halted,
    Map<String, String> refusedPods,
    CanaryVerdict canaryVerdict) {
  /** An older view does not count. */
  static final Duration OLDEST_VIEW = Duration.ofSeconds(15);

  /** A registry that is away for a moment is no reason to roll a change back. */
  private static final Duration IMAGE_TIMEOUT = Duration.ofMinutes(2);

  /**
   * A node that is busy for a moment cannot make one either; the kubelet tries again in seconds.
   */
  private static final Duration CONTAINER_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration SILENCE = Duration.ofMinutes(2);

  /** No command takes longer; a later end was written by a clock that was set back since. */
  private static final Duration LONGEST_COMMAND = Duration.ofMinutes(1);

  public RolloutSnapshot {
    servers = List.copyOf(servers);
    declared = Set.copyOf(declared);
    masters = List.copyOf(masters);
    refused = Set.copyOf(refused);
    proven = Set.copyOf(proven);
    goodBefore = Set.copyOf(goodBefore);
    rolledBack = Set.copyOf(rolledBack);
    halted = Set.copyOf(halted);
    refusedPods = Map.copyOf(refusedPods);
  }

  /** Begins a snapshot of a time. */
  public static RolloutSnapshotBuilder at(Instant now) {
    return new RolloutSnapshotBuilder(now);
  }

  /** Begins a snapshot that differs in some components. */
  RolloutSnapshotBuilder toBuilder() {
    return at(now)
        .watchedSince(watchedSince)
        .rules(rules)
        .servers(servers)
        .declared(declared)
        .masters(masters)
        .declaredMasters(declaredMasters)
        .templatesObserved(areTemplatesObserved)
        .infrastructureReady(isInfrastructureReady)
        .hbase(hbase)
        .settledAt(settledAt)
        .refused(refused)
        .proven(proven)
        .goodBefore(goodBefore)
        .rolledBack(rolledBack)
        .halted(halted)
        .refusedPods(refusedPods)
        .canaryVerdict(canaryVerdict);
  }

  /**
   * HBase's view where it is at most 15 s old. One of the future was read before the clock was set
   * back.
   */
  Optional<HBaseView> fresh() {
    return hbase
        .filter(it -> it.asked().isAfter(now.minus(OLDEST_VIEW)))
        .filter(it -> !it.asked().isAfter(now));
  }

  /** The fresh view, where it was requested after a time. */
  Optional<HBaseView> since(Instant time) {
    return fresh().filter(it -> it.asked().isAfter(seen(time)));
  }

  /** The fresh view, where it was requested after the last command ended. */
  Optional<HBaseView> settled() {
    return fresh()
        .filter(
            it ->
                settledAt
                    .filter(at -> it.asked().isAfter(at) || at.isAfter(now.plus(LONGEST_COMMAND)))
                    .isPresent());
  }

  /**
   * When a stored time began, as far as this process has observed it: no operator ran before, and a
   * time in the future was written by another clock.
   */
  Instant seen(Instant time) {
    return time.isBefore(watchedSince) || time.isAfter(now) ? watchedSince : time;
  }

  /**
   * Until when no restart begins, where a server could not be drained: a drain's time at most,
   * whatever clock it was written by.
   */
  Optional<Instant> heldUntil(Optional<Instant> notBefore) {
    return notBefore.filter(it -> now.isBefore(it) && !it.isAfter(now.plus(rules.drainTimeout())));
  }

  /** Whether this process has seen something last for longer than it may. */
  boolean isOverdue(Instant since, Duration deadline) {
    return Duration.between(seen(since), now).compareTo(deadline) > 0;
  }

  /** No other server can take the regions; such a cluster pauses while its server restarts. */
  boolean isAlone() {
    return declared.size() == 1 && servers.size() == 1;
  }

  Optional<ServerPod> server(String name) {
    return servers.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  Optional<ServerPod> master(String name) {
    return masters.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** HBase has not responded for longer than a master takes to take over. */
  boolean isSilent() {
    return isOverdue(hbase.map(HBaseView::asked).orElse(watchedSince), SILENCE);
  }

  /** Why the API server would not create a pod, with the pod's name. */
  public Optional<String> refusalOf(String pod) {
    return Optional.ofNullable(refusedPods.get(pod)).map(it -> pod + ", " + it);
  }

  /** The other servers of its group that are to stay. */
  List<ServerPod> peers(ServerPod pod) {
    return servers.stream()
        .filter(it -> it.group().equals(pod.group()) && !it.isSurplus())
        .filter(it -> !it.name().equals(pod.name()))
        .toList();
  }

  /**
   * Whether a group has an unproven change. A canary that has passed in this reconciliation does
   * not count: that is written first.
   */
  boolean isUnproven(String group) {
    return rules.canaryWindow().isPresent() && isNew(group);
  }

  /** Whether it is not proven that a group serves with its target configuration. */
  boolean isNew(String group) {
    return !proven.contains(group) && !rolledBack.contains(group);
  }

  /** Whether it has an unproven change, and others must get it. */
  boolean hasUnproven(ServerPod pod) {
    return isUnproven(pod.group())
        && !pod.isChanged()
        && !pod.isSurplus()
        && peers(pod).stream().anyMatch(ServerPod::isChanged);
  }

  /**
   * Why a pod cannot start with an unproven change, if only the change can be the cause: no server
   * without it fails, and HBase's dependencies are ready.
   *
   * @param since when it began to start
   */
  Optional<String> cannotStart(ServerPod pod, Instant since) {
    boolean isBlamed =
        isNew(pod.group())
            && !pod.isChanged()
            && !pod.isReady()
            && !pod.isTerminating()
            && isInfrastructureReady
            && fresh().flatMap(HBaseView::activeMaster).isPresent()
            && servers.stream()
                .filter(it -> it.isChanged() || !isNew(it.group()))
                .allMatch(it -> it.isReady() || it.isTerminating());
    return pod.trouble()
        .filter(it -> isBlamed)
        .filter(
            it ->
                switch (it.kind()) {
                  case NO_NODE -> false;
                  case NO_IMAGE -> isOverdue(since, IMAGE_TIMEOUT);
                  case NO_CONTAINER -> isOverdue(since, CONTAINER_TIMEOUT);
                  case EXITS -> true;
                })
        .map(it -> pod.name() + " " + it.text());
  }

  /**
   * Not ready, and HBase does not count it among the living either. Where HBase does not respond,
   * no server must be ready: HBase would respond with one that is.
   */
  boolean servesNothing(ServerPod pod) {
    return !pod.isReady()
        && (fresh().isPresent()
            ? living(pod.name()).isEmpty()
            : servers.stream().noneMatch(ServerPod::isReady));
  }

  /** The first of its group with a change, where others follow that it can be compared with. */
  boolean isCanary(ServerPod pod) {
    var peers = peers(pod);
    return rules.canaryWindow().isPresent()
        && pod.isChanged()
        && !halted.contains(pod.group())
        && !peers.isEmpty()
        && peers.stream().allMatch(ServerPod::isChanged);
  }

  /** Serves: its pod is ready, and HBase counts it among the living. */
  boolean serves(ServerPod pod) {
    return pod.isReady() && !pod.isTerminating() && living(pod.name()).isPresent();
  }

  /** The server that lives in a pod, by a fresh view. */
  Optional<HBaseView.Server> living(String pod) {
    return fresh().flatMap(it -> it.serverOf(pod));
  }
}
