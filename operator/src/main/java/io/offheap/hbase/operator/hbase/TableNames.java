package io.offheap.hbase.operator.hbase;

import java.util.HashSet;
import java.util.Set;

/**
 * How many names of tables one cluster's servers have named. HBase's client keeps each for as long
 * as the process lives, in one list for all clusters that it goes through at each name, so a
 * cluster may not add to it without end.
 */
final class TableNames {
  /** More tables than an HBase has masters for. */
  static final int MOST = 10_000;

  /** Bytes of a name's part. */
  static final int LONGEST = 1024;

  private final Set<Long> names = new HashSet<>();

  static long hash(byte[] text) {
    long hash = 0xcbf29ce484222325L;
    for (byte it : text) {
      hash = (hash ^ it) * 0x100000001b3L;
    }
    return hash;
  }

  /** A name was read, by its hash. */
  synchronized void add(long name) {
    // One more tells that there are too many.
    if (names.size() <= MOST) {
      names.add(name);
    }
  }

  synchronized boolean areTooMany() {
    return names.size() > MOST;
  }
}
