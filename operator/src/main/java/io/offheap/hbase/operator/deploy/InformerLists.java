package io.offheap.hbase.operator.deploy;

/** How the operator's informers list objects. */
public final class InformerLists {
  /** Objects in a page of a list: the API server permits 1.5 MiB each. */
  public static final long PAGE = 10;

  private InformerLists() {}
}
