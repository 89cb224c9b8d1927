package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Builds a {@link RolloutSnapshot}, whose components are described there. The defaults permit no
 * restart: no template is observed, and HBase does not respond.
 */
public final class RolloutSnapshotBuilder {
  private final Instant now;
  private Instant watchedSince;
  private RolloutRules rules;
  private List<ServerPod> servers = List.of();
  private Set<String> declared = Set.of();
  private List<ServerPod> masters = List.of();
  private int declaredMasters;
  private boolean areTemplatesObserved;
  private boolean isInfrastructureReady;
  private boolean doesInfrastructureServe;
  private Optional<HBaseView> hbase = Optional.empty();
  private Optional<Instant> settledAt = Optional.empty();
  private Set<String> refused = Set.of();
  private Set<String> keptDraining = Set.of();
  private Set<String> proven = Set.of();
  private Set<String> goodBefore = Set.of();
  private Set<String> rolledBack = Set.of();
  private Set<String> halted = Set.of();
  private Map<String, String> refusedPods = Map.of();
  private PodStarts starts = PodStarts.NONE;
  private CanaryVerdict canaryVerdict = new CanaryVerdict.Open();

  RolloutSnapshotBuilder(Instant now) {
    this.now = now;
    this.watchedSince = now;
  }

  public RolloutSnapshotBuilder watchedSince(Instant value) {
    watchedSince = value;
    return this;
  }

  public RolloutSnapshotBuilder rules(RolloutRules value) {
    rules = value;
    return this;
  }

  public RolloutSnapshotBuilder servers(List<ServerPod> value) {
    servers = value;
    return this;
  }

  public RolloutSnapshotBuilder declared(Set<String> value) {
    declared = value;
    return this;
  }

  public RolloutSnapshotBuilder masters(List<ServerPod> value) {
    masters = value;
    return this;
  }

  public RolloutSnapshotBuilder declaredMasters(int value) {
    declaredMasters = value;
    return this;
  }

  public RolloutSnapshotBuilder templatesObserved(boolean value) {
    areTemplatesObserved = value;
    return this;
  }

  public RolloutSnapshotBuilder infrastructureReady(boolean value) {
    isInfrastructureReady = value;
    return this;
  }

  public RolloutSnapshotBuilder infrastructureServes(boolean value) {
    doesInfrastructureServe = value;
    return this;
  }

  public RolloutSnapshotBuilder hbase(Optional<HBaseView> value) {
    hbase = value;
    return this;
  }

  public RolloutSnapshotBuilder settledAt(Optional<Instant> value) {
    settledAt = value;
    return this;
  }

  public RolloutSnapshotBuilder refused(Set<String> value) {
    refused = value;
    return this;
  }

  public RolloutSnapshotBuilder keptDraining(Set<String> value) {
    keptDraining = value;
    return this;
  }

  public RolloutSnapshotBuilder proven(Set<String> value) {
    proven = value;
    return this;
  }

  public RolloutSnapshotBuilder goodBefore(Set<String> value) {
    goodBefore = value;
    return this;
  }

  public RolloutSnapshotBuilder rolledBack(Set<String> value) {
    rolledBack = value;
    return this;
  }

  public RolloutSnapshotBuilder halted(Set<String> value) {
    halted = value;
    return this;
  }

  public RolloutSnapshotBuilder refusedPods(Map<String, String> value) {
    refusedPods = value;
    return this;
  }

  public RolloutSnapshotBuilder starts(PodStarts value) {
    starts = value;
    return this;
  }

  public RolloutSnapshotBuilder canaryVerdict(CanaryVerdict value) {
    canaryVerdict = value;
    return this;
  }

  /**
   * The snapshot.
   *
   * @throws NullPointerException if the rules are not set
   */
  public RolloutSnapshot build() {
    return new RolloutSnapshot(
        now,
        watchedSince,
        Objects.requireNonNull(rules),
        servers,
        declared,
        masters,
        declaredMasters,
        areTemplatesObserved,
        isInfrastructureReady,
        doesInfrastructureServe,
        hbase,
        settledAt,
        refused,
        keptDraining,
        proven,
        goodBefore,
        rolledBack,
        halted,
        refusedPods,
        starts,
        canaryVerdict);
  }
}
