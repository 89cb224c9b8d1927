package io.offheap.hbase.operator.rollout;

/** What must hold before a server is touched, in the order in which it is looked at. */
public enum Predicate {
  NOT_PAUSED("the cluster is paused by its annotation or spec.rollout.paused"),
  INSIDE_WINDOW("no maintenance window is open"),
  NOT_TOO_SOON("a server could not be drained in time; the next attempt is later"),
  TEMPLATES_OBSERVED("the StatefulSet's controller has not seen the new template"),
  INFRASTRUCTURE_READY("ZooKeeper or HDFS is not ready"),
  NO_OTHER_DISTURBANCE("another server does not serve, or is being restarted"),
  CANARY_PROVEN("the first server with the change is compared with its peers"),
  HBASE_HEARD("HBase does not respond"),
  MASTER_ACTIVE("no master is active"),
  NO_SERVER_CRASHED("the regions of a crashed server are being taken over"),
  NO_REGION_IN_TRANSITION("regions are in transition"),
  ENOUGH_SERVERS("too few servers would be left to take the regions"),
  BALANCER_OFF("balancer and normalizer are being switched off"),
  DRAINED("its regions are being moved away"),
  POD_GONE("its pod is stopping"),
  SERVES_AGAIN("its new pod does not serve yet"),
  REGIONS_BACK("its regions are being brought back"),
  FAILED_OVER("no other master has taken over yet"),
  RESTORED("balancer and normalizer are being restored");

  private final String text;

  Predicate(String text) {
    this.text = text;
  }

  /** Whether it may not hold for hours, in which nothing of a rollout is left in the cluster. */
  boolean isLasting() {
    return switch (this) {
      case NOT_PAUSED,
          INSIDE_WINDOW,
          NOT_TOO_SOON,
          INFRASTRUCTURE_READY,
          NO_OTHER_DISTURBANCE,
          ENOUGH_SERVERS ->
          true;
      default -> false;
    };
  }

  /**
   * Whether the spec asks for the wait: for as long as a pause or a closed window lasts, and while
   * a canary is compared.
   */
  public boolean isIntended() {
    return this == NOT_PAUSED || this == INSIDE_WINDOW || this == CANARY_PROVEN;
  }

  /** Whether it holds back a server that has not begun its turn, and not just for a moment. */
  public boolean isNews() {
    return compareTo(BALANCER_OFF) < 0 && this != CANARY_PROVEN;
  }

  /** What it means, for people, that it does not hold. */
  public String text() {
    return text;
  }
}
