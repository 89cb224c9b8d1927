package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.rollout.Rollout;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks by dry runs which pods the API server would refuse: pods that must be restarted, before
 * they are drained, and missing pods. One pod of a StatefulSet is checked every 30 s at most, and
 * once more before it is deleted. No pod is checked while all pods are as declared.
 *
 * <p>If the API server or a webhook does not respond, the last refusal counts; a rollout without
 * one continues. The time to the next check then doubles, and at most three reconciliations wait
 * for a response at a time: a cluster whose webhook does not respond delays no other cluster.
 */
public final class PodAdmissions {
  private static final Logger LOG = LoggerFactory.getLogger(PodAdmissions.class);

  /** How long a response counts, and the first pause if there is none. */
  private static final Duration PERIOD = Duration.ofSeconds(30);

  /** How long a response counts before a pod is deleted: its drain took time. */
  private static final Duration PERIOD_AT_STOP = Duration.ofSeconds(5);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Reconciliations that wait for a response at a time. */
  private static final int WAITING = 3;

  /** How long a further reconciliation waits until it may send its request. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final LongSupplier nanos;
  private final Predicate<ResourceID> exists;
  private final DryRun dryRun;
  private final Map<ResourceID, Checks> clusters = new ConcurrentHashMap<>();
  private final Semaphore permits = new Semaphore(WAITING);

  /** {@link PodDryRun#request}. */
  public interface DryRun {
    Response request(KubernetesClient client, StatefulSet set, int ordinal, boolean replaced);
  }

  /**
   * The last checks of a cluster.
   *
   * @param pods their states, by {@link PodCheck#key}
   * @param silence the pause after a check without a response
   */
  private record Checks(Map<String, PodCheckState> pods, Optional<Silence> silence) {
    static final Checks NONE = new Checks(Map.of(), Optional.empty());
  }

  /**
   * A check had no response.
   *
   * @param key {@link PodCheck#key} of the check
   * @param since when its request ended, on the monotonic clock
   * @param pause how long no request is sent from then on
   */
  private record Silence(String key, long since, Duration pause) {
    boolean isOver(long now) {
      return now - since >= pause.toNanos();
    }

    Silence again(PodCheck check, long now) {
      var twice = pause.multipliedBy(2);
      return new Silence(
          check.key(), now, twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE);
    }
  }

  /**
   * Without any check.
   *
   * @param nanos the monotonic clock, in nanoseconds
   * @param exists whether a cluster exists, by the informer
   */
  public PodAdmissions(LongSupplier nanos, Predicate<ResourceID> exists) {
    this(nanos, exists, PodDryRun::request);
  }

  /** The same, with another dry run. */
  public PodAdmissions(LongSupplier nanos, Predicate<ResourceID> exists, DryRun dryRun) {
    this.nanos = nanos;
    this.exists = exists;
    this.dryRun = dryRun;
  }

  /**
   * Pods that the API server would refuse, with its message.
   *
   * @param rollout the rollout in status
   * @param scopes of each role, which outdated pods may be restarted now
   */
  public Map<String, String> refused(
      Observation observed,
      Optional<Rollout> rollout,
      Function<RoleModel, RestartScope> scopes,
      KubernetesClient client) {
    var id = ResourceID.fromResource(observed.model().cluster());
    var before = clusters.getOrDefault(id, Checks.NONE);
    var silence = before.silence();
    var leaving = LeavingPods.of(rollout);
    var states = new HashMap<String, PodCheckState>();
    var refused = new HashMap<String, String>();
    boolean isBusy = false;
    for (PodCheck check : silentLast(PodCheck.of(observed, scopes, leaving), silence)) {
      long now = nanos.getAsLong();
      var state =
          PodCheckState.before(check, Optional.ofNullable(before.pods().get(check.key())), now);
      boolean isDue = state.isDue(now, check.isOfDeletedNext(leaving) ? PERIOD_AT_STOP : PERIOD);
      boolean isPaused = silence.filter(it -> !it.isOver(now)).isPresent();
      if (isDue && !isPaused && !isBusy) {
        var response = request(check, client);
        long responded = nanos.getAsLong();
        isBusy = response.isEmpty();
        if (response.filter(PodDryRun.NoResponse.class::isInstance).isPresent()) {
          silence = Optional.of(silence(id, check, silence, responded));
        } else if (response.isPresent()) {
          silence = silence.filter(it -> !it.key().equals(check.key()));
          state = state.with(response.get(), responded);
        }
      }
      states.put(check.key(), state);
      boolean stale = state.isStale(nanos.getAsLong());
      state
          .refusal()
          .ifPresent(
              it ->
                  check
                      .affected(observed, leaving, stale)
                      .forEach(pod -> refused.put(pod, it.message())));
    }
    if (states.isEmpty()) {
      clusters.remove(id);
    } else {
      clusters.put(
          id, new Checks(Map.copyOf(states), silence.filter(it -> states.containsKey(it.key()))));
    }
    // The cluster was deleted in between: its checks would never be removed.
    if (!exists.test(id)) {
      forget(id);
    }
    return refused;
  }

  /** The check without a response comes last: it delays no other check. */
  private static List<PodCheck> silentLast(List<PodCheck> checks, Optional<Silence> silence) {
    return checks.stream()
        .sorted(
            Comparator.comparing(
                it -> silence.filter(last -> last.key().equals(it.key())).isPresent()))
        .toList();
  }

  private static Silence silence(
      ResourceID cluster, PodCheck check, Optional<Silence> before, long now) {
    if (before.isEmpty()) {
      LOG.warn(
          "{}",
          LogLine.of("NoResponseToDryRun")
              .cluster(cluster.getNamespace().orElse(""), cluster.getName())
              .with("pod", check.pod()));
    }
    return before
        .map(it -> it.again(check, now))
        .orElseGet(() -> new Silence(check.key(), now, PERIOD));
  }

  /** Empty if too many reconciliations wait: the next one sends the request. */
  private Optional<Response> request(PodCheck check, KubernetesClient client) {
    try {
      if (!permits.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(
          dryRun.request(client, check.set(), check.ordinal(), check.isReplacement()));
    } finally {
      permits.release();
    }
  }

  /** Removes the checks of a deleted cluster. */
  public void forget(ResourceID id) {
    clusters.remove(id);
  }

  /** Whether there are no checks. */
  public boolean isEmpty() {
    return clusters.isEmpty();
  }
}
