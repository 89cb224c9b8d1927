package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses where the regions of a drained server move: to the server with the fewest regions.
 * Servers that need no restart any more are preferred, so that a region does not move with every
 * restart, but not while they have twice the mean: the first restarted server would get them all.
 */
final class Destinations {
  private final HBaseView view;
  private final List<Server> candidates;
  private final Map<String, Boolean> upToDate = new HashMap<>();
  private final Map<String, Integer> load = new HashMap<>();
  private final double most;

  /**
   * For one decision.
   *
   * @param snapshot the observed state
   * @param rollout its servers that are being restarted get no region
   */
  Destinations(RolloutSnapshot snapshot, HBaseView view, Rollout rollout) {
    this.view = view;
    this.candidates =
        view.assignable()
            .filter(it -> rollout.restartOf(it.pod()).isEmpty())
            .filter(
                it ->
                    snapshot
                        .server(it.pod())
                        .filter(pod -> pod.isSurplus() || pod.isTerminating() || !pod.isReady())
                        .isEmpty())
            .toList();
    candidates.forEach(
        it -> {
          load.put(it.name(), it.regions());
          upToDate.put(
              it.name(), snapshot.server(it.pod()).filter(pod -> !pod.isOutdated()).isPresent());
        });
    this.most =
        2.0
                * view.servers().stream().mapToInt(Server::regions).sum()
                / Math.max(1, candidates.size())
            + 1;
  }

  /** How many servers can get regions beside this one. */
  long countWithout(String pod) {
    return candidates.stream().filter(it -> !it.pod().equals(pod)).count();
  }

  /** The moves that drain a server, {@code hbase:meta} first and alone. */
  List<HBaseCommand> moves(List<Region> regions) {
    var first = regions.stream().filter(Region::isMeta).toList();
    var moves = new ArrayList<HBaseCommand>();
    for (Region region : first.isEmpty() ? regions : first) {
      if (view.inTransition().contains(region.encodedName())) {
        continue;
      }
      choose()
          .ifPresent(
              server -> {
                load.merge(server, 1, Integer::sum);
                moves.add(new HBaseCommand.Move(region.encodedName(), server));
              });
    }
    return moves;
  }

  private Optional<String> choose() {
    return candidates.stream()
        .min(
            Comparator.comparing(
                    (Server it) -> !(upToDate.get(it.name()) && load.get(it.name()) < most))
                .thenComparing(it -> load.get(it.name()))
                .thenComparing(Server::name))
        .map(Server::name);
  }
}
