package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The state to restore in HBase after a rollout. If a resource is created again or loses its
 * status, nothing else shows that an operator drained a server, or that the balancer was on.
 *
 * <p>It is stored before a command is sent to HBase, and until status shows the rollout's end. It
 * counts for any spec that declares the same HBase.
 *
 * @param identity the HBase's {@link Identity}
 * @param balancer whether the balancer was on; null before the rollout has switched it
 * @param normalizer whether the normalizer was on; null before
 * @param servers server names of region servers that are being restarted, by pod
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RolloutCopy(
    List<String> identity, Boolean balancer, Boolean normalizer, Map<String, String> servers) {
  private static final Pattern SERVER = Pattern.compile("([a-z0-9.-]+),[0-9]{1,5},[0-9]{1,18}");

  RolloutCopy {
    identity = identity == null ? List.of() : List.copyOf(identity);
    servers =
        servers == null ? Map.of() : Collections.unmodifiableSortedMap(new TreeMap<>(servers));
  }

  /** The copy of a rollout; empty if there is nothing to restore. */
  static Optional<RolloutCopy> of(HBaseCluster cluster, Optional<Rollout> rollout) {
    return of(cluster, rollout, it -> true);
  }

  /**
   * The copy of a rollout that continues later, without the servers that are about to be stopped:
   * in step {@code Stop}, which deletes a pod or scales a StatefulSet down since its server is
   * drained, or with a pod that was deleted. A server that got regions meanwhile would be stopped
   * with them.
   */
  static Optional<RolloutCopy> ofContinued(HBaseCluster cluster, Optional<Rollout> rollout) {
    return of(
        cluster,
        rollout,
        it ->
            it.step() != ServerRestart.Step.STOP && it.cause() != ServerRestart.Cause.POD_DELETED);
  }

  private static Optional<RolloutCopy> of(
      HBaseCluster cluster, Optional<Rollout> rollout, Predicate<ServerRestart> restored) {
    var before = rollout.flatMap(Rollout::before);
    var servers =
        rollout.map(Rollout::restarts).stream()
            .flatMap(List::stream)
            .filter(it -> !it.server().isEmpty())
            .filter(restored)
            .collect(
                Collectors.toMap(ServerRestart::pod, ServerRestart::server, (one, other) -> one));
    return before.isEmpty() && servers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RolloutCopy(
                Identity.of(cluster),
                before.map(Rollout.Switches::balancer).orElse(null),
                before.map(Rollout.Switches::normalizer).orElse(null),
                servers));
  }

  /** Whether it is of the HBase that this resource declares. */
  boolean isOf(HBaseCluster cluster) {
    return !Collections.disjoint(identity, Identity.of(cluster));
  }

  /** The same, and what another copy of the same HBase has besides. */
  RolloutCopy and(RolloutCopy other) {
    var all = new TreeMap<>(other.servers);
    all.putAll(servers);
    var before = switches().isPresent() ? this : other;
    return new RolloutCopy(identity, before.balancer, before.normalizer, all);
  }

  /** The same with those servers that may belong to this cluster; empty if none of all counts. */
  Optional<RolloutCopy> sound(HBaseCluster cluster) {
    var own = cluster.getMetadata().getName() + "-regionserver-";
    var sound = new TreeMap<>(servers);
    sound.entrySet().removeIf(it -> !isSound(own, it.getKey(), String.valueOf(it.getValue())));
    if (sound.size() == servers.size()) {
      return Optional.of(this);
    }
    return switches().isEmpty() && sound.isEmpty()
        ? Optional.empty()
        : Optional.of(new RolloutCopy(identity, balancer, normalizer, sound));
  }

  private static boolean isSound(String own, String pod, String server) {
    var parts = SERVER.matcher(server);
    return pod.startsWith(own)
        && pod.matches(".+-[0-9]{1,9}")
        && parts.matches()
        && parts.group(1).startsWith(pod + ".");
  }

  /**
   * The orphaned rollout, which restores the state.
   *
   * @param now the time
   */
  Rollout leftBehind(Instant now) {
    return Rollout.leftBehind(switches(), servers, now);
  }

  /** Balancer and normalizer as they were; empty before the rollout has switched them. */
  Optional<Rollout.Switches> switches() {
    return balancer == null || normalizer == null
        ? Optional.empty()
        : Optional.of(new Rollout.Switches(balancer, normalizer));
  }
}
