package io.offheap.hbase.operator.rollout;

/**
 * What a step that has begun waits for: of a restart, or of the rollout's end. A reason that is a
 * {@link Precondition} as well has its name, so that a metric has one value for both, and its text.
 */
public enum WaitReason implements Blocker {
  HBASE_RESPONDS(Precondition.HBASE_RESPONDS),
  TEMPLATES_OBSERVED(Precondition.TEMPLATES_OBSERVED),
  NO_REGION_IN_TRANSITION(Precondition.NO_REGION_IN_TRANSITION),
  DRAINED("its regions are being moved away", false),
  POD_DELETED("its pod is stopping", false),
  SERVES_AGAIN("its new pod does not serve yet", false),
  REGIONS_BACK("its regions are being brought back", false),
  FAILED_OVER("no other master has taken over yet", false),
  RESTORED("balancer and normalizer are being restored", false);

  private final String text;
  private final boolean isReported;

  WaitReason(Precondition same) {
    this(same.text(), same.isReported());
  }

  WaitReason(String text, boolean isReported) {
    this.text = text;
    this.isReported = isReported;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public boolean isIntended() {
    return false;
  }

  @Override
  public boolean isReported() {
    return isReported;
  }
}
