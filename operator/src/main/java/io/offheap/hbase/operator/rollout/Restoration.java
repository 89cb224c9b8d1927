package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Rollout.Switches;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Restores in HBase what an earlier rollout had taken, where no rollout may run: the declared spec
 * is refused, and no other one is known. No pod is restarted and no region is moved; servers that
 * were drained may get regions again, and the balancer, once it is on, gives them some.
 *
 * <p>A step depends only on what is observed. Its commands may be sent twice, and by two operators.
 *
 * @param commands the commands to send
 * @param isOver whether HBase has everything back
 */
public record Restoration(List<HBaseCommand> commands, boolean isOver) {
  /** A snapshot has rules; these permit nothing to begin. */
  private static final RolloutRules RULES =
      new RolloutRules(1, Duration.ZERO, Duration.ZERO, Optional.empty(), true, false);

  public Restoration {
    commands = List.copyOf(commands);
  }

  /**
   * The next step.
   *
   * @param now the time
   * @param watchedSince since when this process has watched the cluster without a break
   * @param hbase HBase's last view
   * @param settledAt when the last command to HBase ended; empty while one is under way
   * @param keptDraining servers that HBase refuses for ever to recommission
   * @param before balancer and normalizer as they were; empty if they were not switched
   * @param servers server names of region servers that may have been drained
   */
  public static Restoration next(
      Instant now,
      Instant watchedSince,
      Optional<HBaseView> hbase,
      Optional<Instant> settledAt,
      Set<String> keptDraining,
      Optional<Switches> before,
      Collection<String> servers) {
    var snapshot =
        RolloutSnapshot.at(now)
            .watchedSince(watchedSince)
            .rules(RULES)
            .hbase(hbase)
            .settledAt(settledAt)
            .keptDraining(keptDraining)
            .build();
    return snapshot
        .whole()
        .map(view -> next(snapshot, view, before, servers))
        .orElseGet(() -> new Restoration(List.of(), false));
  }

  private static Restoration next(
      RolloutSnapshot snapshot,
      HBaseView view,
      Optional<Switches> before,
      Collection<String> servers) {
    var commands = new ArrayList<HBaseCommand>();
    servers.stream()
        .filter(view.draining()::contains)
        .filter(it -> !isInVain(it, view, snapshot))
        .forEach(it -> commands.add(new HBaseCommand.Recommission(it)));
    before
        .filter(it -> it.balancer() != view.isBalancerOn())
        .ifPresent(it -> commands.add(new HBaseCommand.SwitchBalancer(it.balancer())));
    before
        .filter(it -> it.normalizer() != view.isNormalizerOn())
        .ifPresent(it -> commands.add(new HBaseCommand.SwitchNormalizer(it.normalizer())));
    // A command that another operator sent before may take effect after the view was read.
    var others = snapshot.watchedSince().plus(Roller.OTHERS_COMMANDS);
    return new Restoration(
        commands,
        commands.isEmpty()
            && snapshot.settled().filter(it -> it.requestedAt().isAfter(others)).isPresent());
  }

  /**
   * As in {@link ReturnStep}: HBase may refuse this for ever for a process that has ended, and a
   * process that is not live after that time does not return: the next one of its pod, if any, has
   * another name.
   */
  private static boolean isInVain(String server, HBaseView view, RolloutSnapshot snapshot) {
    var end = snapshot.watchedSince().plus(ReturnStep.RETURN_TIMEOUT);
    return snapshot.keptDraining().contains(server)
        && view.server(server).isEmpty()
        && snapshot.settled().isPresent()
        && snapshot
            .settledAt()
            .filter(it -> it.isAfter(end) && !it.isAfter(snapshot.now()))
            .isPresent();
  }
}
