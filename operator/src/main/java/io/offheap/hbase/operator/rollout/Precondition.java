package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Precondition.Scope.EVERY_SERVER;
import static io.offheap.hbase.operator.rollout.Precondition.Scope.RESTARTED;
import static io.offheap.hbase.operator.rollout.Precondition.Scope.RESTARTED_AND_SERVING;
import static io.offheap.hbase.operator.rollout.Precondition.Scope.RESTARTED_OR_SERVING;
import static io.offheap.hbase.operator.rollout.Precondition.Scope.SERVING;
import static io.offheap.hbase.operator.rollout.Precondition.Scope.SERVING_AMONG_OTHERS;
import static io.offheap.hbase.operator.rollout.Precondition.Trait.INTENDED;
import static io.offheap.hbase.operator.rollout.Precondition.Trait.REPORTED;

import io.offheap.hbase.operator.rollout.Decision.Wait;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What must hold before a region server is drained or stopped. {@link #ALL} has the order in which
 * the preconditions are checked; a server waits for the first one in its scope that does not hold.
 */
// Its fields are method references, which hold no state, and an unmodifiable set.
@SuppressWarnings("ImmutableEnumChecker")
public enum Precondition implements Blocker {
  NOT_PAUSED(
      "the cluster is paused by its annotation or spec.rollout.paused",
      EVERY_SERVER,
      Candidate::pause,
      INTENDED,
      REPORTED),
  TEMPLATES_OBSERVED(
      "the StatefulSet's controller has not seen the new template",
      EVERY_SERVER,
      Candidate::unobservedTemplates,
      REPORTED),
  INSIDE_WINDOW(
      "no maintenance window is open",
      RESTARTED_AND_SERVING,
      Candidate::closedWindow,
      INTENDED,
      REPORTED),
  NOT_TOO_SOON(
      "a server could not be drained in time; the next attempt is later",
      SERVING,
      Candidate::nextAttempt,
      REPORTED),
  INFRASTRUCTURE_READY(
      "ZooKeeper or HDFS is not ready", SERVING, Candidate::unreadyInfrastructure, REPORTED),
  NO_OTHER_DISTURBANCE(
      "another server does not serve, or is being restarted",
      RESTARTED_OR_SERVING,
      Candidate::disturbedServers,
      REPORTED),
  CANARY_PROVEN(
      "the first server with the change is compared with its peers",
      RESTARTED,
      Candidate::unprovenCanary,
      INTENDED),
  HBASE_RESPONDS(
      "HBase does not respond", SERVING_AMONG_OTHERS, Candidate::unknownServer, REPORTED),
  MASTER_ACTIVE(
      "no master is active", SERVING_AMONG_OTHERS, Candidate::missingActiveMaster, REPORTED),
  NO_SERVER_CRASHED(
      "the regions of a crashed server are being taken over",
      SERVING_AMONG_OTHERS,
      Candidate::crashedServers,
      REPORTED),
  NO_REGION_IN_TRANSITION(
      "regions are in transition", SERVING_AMONG_OTHERS, Candidate::regionsInTransition, REPORTED),
  ENOUGH_SERVERS(
      "too few servers would be left to take the regions",
      SERVING_AMONG_OTHERS,
      Candidate::tooFewDestinations,
      REPORTED),
  POD_ADMITTED(
      "the API server refuses the pod that would follow",
      RESTARTED,
      Candidate::refusedPod,
      REPORTED),
  BALANCER_OFF(
      "balancer and normalizer are being switched off",
      SERVING_AMONG_OTHERS,
      Candidate::switchesThatAreOn);

  /** All, in the order in which they are checked; the order of the constants has no effect. */
  static final List<Precondition> ALL =
      List.of(
          NOT_PAUSED,
          TEMPLATES_OBSERVED,
          INSIDE_WINDOW,
          NOT_TOO_SOON,
          INFRASTRUCTURE_READY,
          NO_OTHER_DISTURBANCE,
          CANARY_PROVEN,
          HBASE_RESPONDS,
          MASTER_ACTIVE,
          NO_SERVER_CRASHED,
          NO_REGION_IN_TRANSITION,
          ENOUGH_SERVERS,
          POD_ADMITTED,
          // Balancer and normalizer are not switched off for a restart that cannot begin.
          BALANCER_OFF);

  private final String text;
  private final Scope scope;
  private final Function<Candidate, Optional<String>> check;
  private final Set<Trait> traits;

  Precondition(
      String text, Scope scope, Function<Candidate, Optional<String>> check, Trait... traits) {
    this.text = text;
    this.scope = scope;
    this.check = check;
    this.traits = Set.of(traits);
  }

  /** Which servers a precondition holds back. */
  enum Scope {
    EVERY_SERVER(it -> true),
    /** All but removed servers that serve no region. */
    RESTARTED_OR_SERVING(it -> it.isRestarted() || it.isServing()),
    /** Servers that serve regions. A pod that serves none is replaced without HBase. */
    SERVING(Candidate::isServing),
    /** All but removed servers: one that serves no region may do so again by itself. */
    RESTARTED(Candidate::isRestarted),
    /** Servers that serve regions and are restarted, not removed. */
    RESTARTED_AND_SERVING(it -> it.isRestarted() && it.isServing()),
    /** Servers whose regions others can take. A cluster of one server is down during a restart. */
    SERVING_AMONG_OTHERS(it -> it.isServing() && !it.hasOneServer());

    private final Predicate<Candidate> includes;

    Scope(Predicate<Candidate> includes) {
      this.includes = includes;
    }

    boolean includes(Candidate candidate) {
      return includes.test(candidate);
    }
  }

  /** Properties of a wait: {@link Blocker}. */
  enum Trait {
    INTENDED,
    REPORTED
  }

  /** The first that does not hold for a server, with its subject; empty where all hold. */
  static Optional<Wait> firstUnmet(Candidate candidate) {
    for (Precondition precondition : ALL) {
      var unmet = precondition.unmet(candidate);
      if (unmet.isPresent()) {
        return unmet;
      }
    }
    return Optional.empty();
  }

  private Optional<Wait> unmet(Candidate candidate) {
    return scope.includes(candidate)
        ? check.apply(candidate).map(subject -> new Wait(this, subject))
        : Optional.empty();
  }

  Scope scope() {
    return scope;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public boolean isIntended() {
    return traits.contains(INTENDED);
  }

  @Override
  public boolean isReported() {
    return traits.contains(REPORTED);
  }
}
