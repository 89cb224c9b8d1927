package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that a decision is made from.
 *
 * @param now the time
 * @param rules what is declared about restarts
 * @param servers the pods of all groups of region servers that exist, in the order of their groups
 *     and ordinals
 * @param declared names of the region servers' pods that there should be
 * @param masters the masters' pods that exist
 * @param declaredMasters how many masters there should be
 * @param areTemplatesObserved whether Kubernetes would make a deleted pod as it is declared now
 * @param isInfrastructureReady whether ZooKeeper and HDFS, where managed, are all there and as
 *     declared
 * @param hbase what HBase last said
 * @param settledAt when the last command to HBase ended; empty while one is under way
 * @param refused regions that HBase last refused to move
 * @param halted groups whose change is not to go on, with nothing that could take its place
 * @param canaryVerdict what the comparison of the canary with its peers says now
 */
public record Situation(
    Instant now,
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
    Set<String> halted,
    CanaryVerdict canaryVerdict) {
  /** An older look says nothing about now. */
  static final Duration OLDEST_VIEW = Duration.ofSeconds(15);

  public Situation {
    servers = List.copyOf(servers);
    declared = Set.copyOf(declared);
    masters = List.copyOf(masters);
    refused = Set.copyOf(refused);
    halted = Set.copyOf(halted);
  }

  /** What HBase said a moment ago. */
  Optional<HBaseView> fresh() {
    return hbase.filter(it -> it.asked().isAfter(now.minus(OLDEST_VIEW)));
  }

  /** What HBase said since a time. */
  Optional<HBaseView> since(Instant time) {
    return fresh().filter(it -> it.asked().isAfter(time));
  }

  /** What HBase said a moment ago, with all done that it was told. */
  Optional<HBaseView> settled() {
    return fresh().filter(it -> settledAt.filter(it.asked()::isAfter).isPresent());
  }

  /** There is nobody to take the regions; such a cluster pauses while its server restarts. */
  boolean isAlone() {
    return declared.size() == 1 && servers.size() == 1;
  }

  Optional<ServerPod> server(String name) {
    return servers.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  Optional<ServerPod> master(String name) {
    return masters.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** The server that lives in a pod, by a fresh look. */
  Optional<HBaseView.Server> living(String pod) {
    return fresh().flatMap(it -> it.serverOf(pod));
  }
}
