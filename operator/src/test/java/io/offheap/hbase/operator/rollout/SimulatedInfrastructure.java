package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * A simulation of ZooKeeper and HDFS. Each may have an outage, or lose one pod, without which it
 * serves all the same.
 *
 * <p>In an outage no process of HBase can start: it waits and exits after five minutes, as the
 * image's entrypoint does, and Kubernetes starts it again with back-off ({@link SimulatedPod}).
 * Without ZooKeeper, HBase does not respond, and no death of a server is found. Without HDFS, no
 * region is closed, opened or taken over, and no master takes over ({@link SimulatedHBase}).
 * Processes that run continue to run, but for region servers without HDFS, which cannot write their
 * logs: they end one after the other, by chance, and not before Kubernetes reports the outage.
 *
 * <p>Kubernetes reports an outage after three readiness probes have failed, ten seconds apart, and
 * its end with the next one that succeeds. A shorter outage is never reported, nor is any of
 * external services.
 */
final class SimulatedInfrastructure {
  private static final int SECONDS_TO_REPORT = 20;
  private static final int PROBE_PERIOD = 10;

  private final Random random;
  private final Map<Service, Outage> outages = new EnumMap<>(Service.class);
  private Instant now;
  private boolean isExternal;

  /** What HBase depends on. */
  enum Service {
    ZOOKEEPER,
    HDFS
  }

  /**
   * A time in which a service, or one pod of it, does not serve.
   *
   * @param isWhole whether the service does not serve, not only a pod
   */
  private record Outage(
      Instant until, Instant reportedSince, Instant reportedUntil, boolean isWhole) {
    boolean isOverAt(Instant time) {
      return !time.isBefore(until);
    }

    boolean isReportedAt(Instant time) {
      return reportedSince.isBefore(until)
          && !time.isBefore(reportedSince)
          && time.isBefore(reportedUntil);
    }
  }

  SimulatedInfrastructure(Random random, Instant now) {
    this.random = random;
    this.now = now;
  }

  /** They are not managed: the operator has no report on them. */
  void makeExternal() {
    isExternal = true;
  }

  /** Whether the operator has no report on them. */
  boolean isExternal() {
    return isExternal;
  }

  /** Begins an outage, unless the service has one; a whole one replaces that of a pod. */
  void fail(Service service, boolean isWhole, Duration time) {
    var until = now.plus(time);
    var outage =
        new Outage(
            until,
            now.plusSeconds(SECONDS_TO_REPORT + random.nextInt(PROBE_PERIOD)),
            until.plusSeconds(random.nextInt(PROBE_PERIOD)),
            isWhole);
    outages.merge(service, outage, (old, next) -> !old.isWhole() && next.isWhole() ? next : old);
  }

  /** Ends all outages. */
  void heal() {
    outages.clear();
  }

  /** Advances the time. */
  void tick(Instant time) {
    now = time;
    outages.values().removeIf(it -> it.isOverAt(now) && !now.isBefore(it.reportedUntil()));
  }

  /** Whether a service serves, whatever is reported. */
  boolean serves(Service service) {
    var outage = outages.get(service);
    return outage == null || !outage.isWhole() || outage.isOverAt(now);
  }

  /** Whether servers end that cannot write their logs. */
  boolean endsServers() {
    var outage = outages.get(Service.HDFS);
    return !serves(Service.HDFS) && outage.isReportedAt(now);
  }

  /** Whether a process of HBase can start. */
  boolean serves() {
    return serves(Service.ZOOKEEPER) && serves(Service.HDFS);
  }

  /** Whether all pods are reported as ready. */
  boolean isReportedReady() {
    return isExternal || outages.values().stream().noneMatch(it -> it.isReportedAt(now));
  }

  /** Whether enough pods are reported as ready for both services to serve. */
  boolean isReportedServing() {
    return isExternal
        || outages.values().stream().noneMatch(it -> it.isWhole() && it.isReportedAt(now));
  }
}
