package io.offheap.hbase.operator.status;

/** The conditions of a cluster. */
public enum ConditionType {
  /** Every pod of every role serves, with the plan that is applied. */
  Ready,
  /** The resource gives a plan, and what it refers to exists. */
  Planned,
  /** Something is being brought about. */
  Progressing,
  /** A declared change was rolled back; left out where none was. */
  RolledBack,
  /** Every block of the live tables fits one buffer; left out until the cluster has answered. */
  TablesFit,
  /** Nothing is the matter that tuning cannot mend; left out where tuning is off. */
  Tuned,
  /** Answers of its servers are over a bound or cannot be read; left out where none is. */
  AnswersRefused
}
