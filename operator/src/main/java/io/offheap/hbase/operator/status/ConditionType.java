package io.offheap.hbase.operator.status;

/** The conditions of a cluster. */
public enum ConditionType {
  /** Every pod of every role serves, with the applied plan. */
  Ready,
  /** The resource has a plan, and the objects that it refers to exist. */
  Planned,
  /** A change is under way. */
  Progressing,
  /** A declared change was rolled back; absent otherwise. */
  RolledBack,
  /** Every block of the live tables fits one buffer; absent before the tables were read. */
  TablesFit,
  /** The mode of the block cache suits what is read; absent where the load is not known. */
  CacheModeFits,
  /** There is no problem that tuning cannot solve; absent if tuning is disabled. */
  Tuned,
  /** Responses of its servers exceed a limit or cannot be parsed; absent otherwise. */
  ResponsesRefused
}
