package io.offheap.hbase.operator.rollout;

/**
 * What HBase is told. Each may be told again: the second time changes nothing.
 *
 * <p>That a command was answered means nothing; whether it was done is seen in the next {@link
 * HBaseView}.
 */
public sealed interface HBaseCommand {
  /** Whether regions are moved to even out servers. */
  record SwitchBalancer(boolean on) implements HBaseCommand {}

  /** Whether regions are split and merged to even out their sizes. */
  record SwitchNormalizer(boolean on) implements HBaseCommand {}

  /** Give this server no region any more; those that it has stay. */
  record Decommission(String server) implements HBaseCommand {}

  /** Give this server regions again, or forget that one that is gone had none. */
  record Recommission(String server) implements HBaseCommand {}

  /** Move a region to a server. */
  record Move(String encodedRegion, String destination) implements HBaseCommand {}

  /** Read the configuration files again. */
  record Reconfigure(String server) implements HBaseCommand {}
}
