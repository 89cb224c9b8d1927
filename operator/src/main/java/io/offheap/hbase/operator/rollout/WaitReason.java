package io.offheap.hbase.operator.rollout;

/** What a step that has begun waits for: of a restart, or of the rollout's end. */
public enum WaitReason implements Blocker {
  HBASE_RESPONDS("HBase does not respond", true),
  TEMPLATES_OBSERVED("the StatefulSet's controller has not seen the new template", true),
  NO_REGION_IN_TRANSITION("regions are in transition", true),
  DRAINED("its regions are being moved away", false),
  POD_DELETED("its pod is stopping", false),
  SERVES_AGAIN("its new pod does not serve yet", false),
  REGIONS_BACK("its regions are being brought back", false),
  FAILED_OVER("no other master has taken over yet", false),
  RESTORED("balancer and normalizer are being restored", false);

  private final String text;
  private final boolean isReported;

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
