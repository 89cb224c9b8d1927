package io.offheap.hbase.operator;

import java.time.Duration;

/** How long a test waits for what has to come. */
public final class Waits {
  /**
   * Ends a test that would hang, and proves nothing: a wait ends with its event, and a machine that
   * does much else besides takes several times what an idle one takes. A time that the operator
   * promises is asserted by itself.
   */
  public static final Duration LONG = Duration.ofMinutes(5);

  private Waits() {}
}
