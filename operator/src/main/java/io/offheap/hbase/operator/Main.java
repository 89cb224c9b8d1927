package io.offheap.hbase.operator;

/** x. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {}
}
