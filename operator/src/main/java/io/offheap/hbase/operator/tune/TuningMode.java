package io.offheap.hbase.operator.tune;

/** Who decides on a change. */
public enum TuningMode {
  /** Nobody: the plan is as declared. */
  OFF("Off"),
  /** A person, who approves what tuning recommends. */
  RECOMMEND("Recommend"),
  /** Tuning. */
  AUTO("Auto");

  private final String text;

  TuningMode(String text) {
    this.text = text;
  }

  /** The name in the resource. */
  public String text() {
    return text;
  }
}
