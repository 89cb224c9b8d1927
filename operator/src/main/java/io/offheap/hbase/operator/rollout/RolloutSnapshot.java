package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The input of a decision.
 *
 * @param now the time
 * @param watchedSince since when this process has watched the cluster without a break, by the same
 *     clock: deadlines that began earlier count from here ({@link Watch})
 * @param rules the declared rules of restarts
 * @param servers the region servers' pods that exist, by group and ordinal
 * @param declared names of the region servers' pods that are declared
 * @param masters the masters' pods that exist
 * @param declaredMasters how many masters are declared
 * @param areTemplatesObserved whether Kubernetes would create a deleted pod as it is declared now
 * @param isInfrastructureReady whether all pods of managed ZooKeeper and HDFS serve as declared
 * @param doesInfrastructureServe whether enough of these pods serve that a process which starts
 *     finds a quorum and each block
 * @param hbase HBase's last view
 * @param settledAt when the last command to HBase ended; empty while one is under way
 * @param refused regions whose last move HBase refused
 * @param keptDraining servers that HBase refuses for ever to recommission
 * @param proven groups whose target configuration is proven: all their servers served with it, or a
 *     canary was compared with its peers
 * @param goodBefore other groups, which have an earlier configuration that is proven
 * @param rolledBack groups whose change was rolled back
 * @param halted groups of these without an earlier configuration: their restarts stop
 * @param refusedPods pods that the API server would refuse as they are declared now, with its
 *     message; other pods may be unchecked
 * @param starts for how long the pods of region servers had the chance to start
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
    boolean doesInfrastructureServe,
    Optional<HBaseView> hbase,
    Optional<Instant> settledAt,
    Set<String> refused,
    Set<String> keptDraining,
    Set<String> proven,
    Set<String> goodBefore,
    Set<String> rolledBack,
    Set<String> halted,
    Map<String, String> refusedPods,
    PodStarts starts,
    CanaryVerdict canaryVerdict) {
  /** An older view does not count. */
  static final Duration OLDEST_VIEW = Duration.ofSeconds(15);

  /** A short outage of a registry must not roll a change back. */
  private static final Duration IMAGE_TIMEOUT = Duration.ofMinutes(2);

  /** A busy node may fail to create a container; the kubelet tries again within seconds. */
  private static final Duration CONTAINER_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration UNRESPONSIVE_AFTER = Duration.ofMinutes(2);

  /** No command takes longer; a later end was written by a clock that was set back since. */
  private static final Duration LONGEST_COMMAND = Duration.ofMinutes(1);

  public RolloutSnapshot {
    servers = List.copyOf(servers);
    declared = Set.copyOf(declared);
    masters = List.copyOf(masters);
    refused = Set.copyOf(refused);
    keptDraining = Set.copyOf(keptDraining);
    proven = Set.copyOf(proven);
    goodBefore = Set.copyOf(goodBefore);
    rolledBack = Set.copyOf(rolledBack);
    halted = Set.copyOf(halted);
    refusedPods = Map.copyOf(refusedPods);
  }

  /** A builder of a snapshot at a time. */
  public static RolloutSnapshotBuilder at(Instant now) {
    return new RolloutSnapshotBuilder(now);
  }

  /** A builder with the components of this snapshot. */
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
        .infrastructureServes(doesInfrastructureServe)
        .hbase(hbase)
        .settledAt(settledAt)
        .refused(refused)
        .keptDraining(keptDraining)
        .proven(proven)
        .goodBefore(goodBefore)
        .rolledBack(rolledBack)
        .halted(halted)
        .refusedPods(refusedPods)
        .starts(starts)
        .canaryVerdict(canaryVerdict);
  }

  /**
   * HBase's view if its servers are at most 15 s old. A view with a time in the future was read
   * before the clock was set back. At rest the normalizer's state, draining and crashed servers may
   * be older: {@link #whole}.
   */
  Optional<HBaseView> fresh() {
    return hbase
        .filter(it -> it.serversAt().isAfter(now.minus(OLDEST_VIEW)))
        .filter(it -> !it.serversAt().isAfter(now));
  }

  /**
   * The fresh view, if all its parts are at most 15 s old, as of each view that is requested during
   * a rollout. No server is drained, and no switch is stored or set, by another one.
   */
  Optional<HBaseView> whole() {
    return fresh().filter(it -> it.requestedAt().isAfter(now.minus(OLDEST_VIEW)));
  }

  /** The whole view, if it was requested after a time. */
  Optional<HBaseView> since(Instant time) {
    return whole().filter(it -> it.requestedAt().isAfter(seen(time)));
  }

  /** The whole view, if it was requested after the last command ended. */
  Optional<HBaseView> settled() {
    return whole()
        .filter(
            it ->
                settledAt
                    .filter(
                        at -> it.requestedAt().isAfter(at) || at.isAfter(now.plus(LONGEST_COMMAND)))
                    .isPresent());
  }

  /**
   * The later of a stored time and the beginning of this process' watch: before, no operator may
   * have run. A time in the future was written by another clock.
   */
  Instant seen(Instant time) {
    return time.isBefore(watchedSince) || time.isAfter(now) ? watchedSince : time;
  }

  /**
   * Until when no restart begins after a drain timed out. A time of more than one drain timeout
   * from now was written by another clock.
   */
  Optional<Instant> heldUntil(Optional<Instant> notBefore) {
    return notBefore.filter(it -> now.isBefore(it) && !it.isAfter(now.plus(rules.drainTimeout())));
  }

  /** Whether this process has watched for longer than a deadline that began at a time. */
  boolean isOverdue(Instant since, Duration deadline) {
    return Duration.between(seen(since), now).compareTo(deadline) > 0;
  }

  /**
   * Whether the start of a pod has taken longer than a deadline. Time in which the pod could not
   * start, as in an outage of ZooKeeper or HDFS, does not count ({@link PodStarts}).
   *
   * @param since when its server's restart came to the start
   */
  boolean isStartOverdue(ServerPod pod, Instant since, Duration deadline) {
    return isOverdue(since, deadline)
        && starts.lasted(pod.name()).filter(it -> it.compareTo(deadline) <= 0).isEmpty();
  }

  /** No other server can take the regions; such a cluster is down while its server restarts. */
  boolean hasOneServer() {
    return declared.size() == 1 && servers.size() == 1;
  }

  Optional<ServerPod> server(String name) {
    return servers.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  Optional<ServerPod> master(String name) {
    return masters.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** HBase has not responded for longer than a failover of the master takes. */
  boolean isUnresponsive() {
    return isOverdue(hbase.map(HBaseView::serversAt).orElse(watchedSince), UNRESPONSIVE_AFTER);
  }

  /** Why the API server would refuse a pod, after the pod's name. */
  public Optional<String> refusalOf(String pod) {
    return Optional.ofNullable(refusedPods.get(pod)).map(it -> pod + ", " + it);
  }

  /** The other declared servers of its group. */
  List<ServerPod> peers(ServerPod pod) {
    return declaredServers()
        .filter(it -> it.group().equals(pod.group()) && !it.name().equals(pod.name()))
        .toList();
  }

  /**
   * The servers that are evidence for or against a change: of a surplus server, or of a pod that
   * others have made, nothing follows for those that are declared.
   */
  private Stream<ServerPod> declaredServers() {
    return servers.stream().filter(it -> !it.isSurplus() && declared.contains(it.name()));
  }

  /**
   * Whether a group has an unproven change. A canary that has passed in this reconciliation does
   * not count before that is stored.
   */
  boolean isUnproven(String group) {
    return rules.canaryWindow().isPresent() && isNew(group);
  }

  /** Whether a group's target configuration is not proven. */
  boolean isNew(String group) {
    return !proven.contains(group) && !rolledBack.contains(group);
  }

  /** Whether a server has an unproven change that other servers must get. */
  boolean hasUnproven(ServerPod pod) {
    return isUnproven(pod.group())
        && !pod.isChanged()
        && !pod.isSurplus()
        && peers(pod).stream().anyMatch(ServerPod::isChanged);
  }

  /**
   * Why a pod cannot start with an unproven change, if only the change can be the cause: no
   * declared server without it fails, its node did not end it, HBase's dependencies are ready, and
   * were so when its processes ended.
   *
   * @param since when it began to start
   */
  Optional<String> cannotStart(ServerPod pod, Instant since) {
    boolean isCausedByChange =
        isNew(pod.group())
            && !pod.isChanged()
            && !pod.isReady()
            && !pod.isTerminating()
            && !pod.isEndedByNode()
            && isInfrastructureReady
            && fresh().flatMap(HBaseView::activeMaster).isPresent()
            && declaredServers()
                .filter(it -> it.isChanged() || !isNew(it.group()))
                .allMatch(it -> it.isReady() || it.isTerminating());
    return pod.trouble()
        .filter(it -> isCausedByChange)
        .filter(
            it ->
                switch (it.kind()) {
                  case NO_NODE, SILENT_NODE, EVICTED -> false;
                  case NO_IMAGE -> isStartOverdue(pod, since, IMAGE_TIMEOUT);
                  case NO_CONTAINER -> isStartOverdue(pod, since, CONTAINER_TIMEOUT);
                  case EXITS -> !starts.wasHindered(pod);
                })
        .map(it -> pod.name() + " " + it.text());
  }

  /**
   * Not ready, and HBase does not list it as live. If HBase does not respond, no server may be
   * ready: HBase would respond with one that is. On a silent node it may run all the same.
   */
  boolean servesNothing(ServerPod pod) {
    return !pod.isReady()
        && (fresh().isPresent()
            ? liveServer(pod.name()).isEmpty()
            : !pod.isSilent() && servers.stream().noneMatch(ServerPod::isReady));
  }

  /** Whether it is the first of its group to get a change, and has peers to be compared with. */
  boolean isCanary(ServerPod pod) {
    var peers = peers(pod);
    return rules.canaryWindow().isPresent()
        && pod.isChanged()
        && !peers.isEmpty()
        && peers.stream().allMatch(ServerPod::isChanged);
  }

  /** Whether its pod is ready and HBase lists it as live. */
  boolean serves(ServerPod pod) {
    return pod.isReady() && !pod.isTerminating() && liveServer(pod.name()).isPresent();
  }

  /** The live server in a pod, by a fresh view. */
  Optional<HBaseView.Server> liveServer(String pod) {
    return fresh().flatMap(it -> it.serverOf(pod));
  }
}
