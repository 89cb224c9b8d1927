package io.offheap.hbase.operator.rollout;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A command to HBase. Each may be sent again: the second time changes nothing.
 *
 * <p>A response does not mean that the command has taken effect; the next view shows that: {@link
 * HBaseView}.
 */
public sealed interface HBaseCommand {
  /** Switches the balancer. */
  record SwitchBalancer(boolean on) implements HBaseCommand {}

  /** Switches the normalizer. */
  record SwitchNormalizer(boolean on) implements HBaseCommand {}

  /** Decommissions a server: it gets no more regions and keeps its own. */
  record Decommission(String server) implements HBaseCommand {}

  /** Recommissions a server, or removes a stopped one from the list of decommissioned servers. */
  record Recommission(String server) implements HBaseCommand {
    /** The servers that such commands among others are about. */
    public static Set<String> serversOf(Collection<HBaseCommand> commands) {
      return commands.stream()
          .filter(Recommission.class::isInstance)
          .map(it -> ((Recommission) it).server())
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  /** Moves a region to a server. */
  record Move(String encodedRegion, String destination) implements HBaseCommand {}

  /** Reloads the configuration files. */
  record Reconfigure(String server) implements HBaseCommand {}
}
