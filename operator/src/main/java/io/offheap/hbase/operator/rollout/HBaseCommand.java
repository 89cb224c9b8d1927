package io.offheap.hbase.operator.rollout;

/**
 * A command to HBase. Each may be sent again: the second time changes nothing.
 *
 * <p>A response does not mean that the command has taken effect; the next view shows that: {@link
 * HBaseView}.
 */
public sealed interface HBaseCommand {
  /** Whether regions are moved to even out servers. */
  record SwitchBalancer(boolean on) implements HBaseCommand {}

  /** Whether regions are split and merged to even out their sizes. */
  record SwitchNormalizer(boolean on) implements HBaseCommand {}

  /** Give this server no region any more; those that it has stay. */
  record Decommission(String server) implements HBaseCommand {}

  /** Give this server regions again, or forget that one that has stopped was to get none. */
  record Recommission(String server) implements HBaseCommand {}

  /** Move a region to a server. */
  record Move(String encodedRegion, String destination) implements HBaseCommand {}

  /** Read the configuration files again. */
  record Reconfigure(String server) implements HBaseCommand {}
}
