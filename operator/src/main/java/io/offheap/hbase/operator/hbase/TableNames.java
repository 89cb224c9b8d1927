package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits the table names that clusters' servers send. HBase's client keeps each name for the
 * lifetime of the process, in one list for all clusters that it searches for each name, so neither
 * one cluster nor all together may add names without limit. A known name costs nothing more.
 */
final class TableNames {
  /** Most names of one cluster: more tables than an HBase can manage. */
  static final int MOST = 10_000;

  /** Most bytes of a namespace's name, or of a table's in it: the limit of a directory's name. */
  static final int LONGEST = 255;

  /** The names of this process. */
  static final TableNames OF_PROCESS = new TableNames(16 << 20);

  /** HBase's object with its strings and arrays, and the entry here, in bytes. */
  private static final int NAME = 400;

  private static final int COPIES = 4;

  /** The entry of a further cluster with the same name, in bytes. */
  private static final int ENTRY = 64;

  private final long mostBytes;
  private final Set<BigInteger> names = new HashSet<>();
  private final Map<ResourceID, Set<BigInteger>> byCluster = new HashMap<>();
  private long bytes;

  /** The names of one cluster. */
  interface OfCluster {
    /**
     * Records a name, which is kept from now on.
     *
     * @throws InvalidResponseException if a limit is exceeded
     */
    void add(byte[] namespace, byte[] table) throws InvalidResponseException;
  }

  /**
   * Creates an empty list.
   *
   * @param mostBytes most bytes of heap for all names
   */
  TableNames(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The count of a cluster continues with a new connection. */
  OfCluster of(ResourceID cluster) {
    return (namespace, table) -> add(cluster, namespace, table);
  }

  private synchronized void add(ResourceID cluster, byte[] namespace, byte[] table)
      throws InvalidResponseException {
    var name = hash(namespace, table);
    var own = byCluster.getOrDefault(cluster, Set.of());
    if (own.contains(name)) {
      return;
    }
    if (own.size() >= MOST) {
      throw tooMany("names of over " + MOST + " tables; must be at most so many of a cluster");
    }
    long more =
        ENTRY
            + (own.isEmpty() ? NAME : 0)
            + (names.contains(name)
                ? 0
                : NAME + (long) COPIES * (namespace.length + (long) table.length));
    if (bytes + more > mostBytes) {
      throw tooMany(
          "a table's name, and the names of all clusters' tables take over "
              + mostBytes
              + " bytes; must be at most so many");
    }
    bytes += more;
    names.add(name);
    byCluster.computeIfAbsent(cluster, id -> new HashSet<>()).add(name);
  }

  private static InvalidResponseException tooMany(String what) {
    return new InvalidResponseException(
        "sent, with earlier responses, " + what + " until the operator is restarted");
  }

  /** A hash without known collisions. */
  private static BigInteger hash(byte[] namespace, byte[] table) {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      hash.update((namespace.length + ":").getBytes(UTF_8));
      hash.update(namespace);
      return new BigInteger(hash.digest(table));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each JVM has SHA-256", e);
    }
  }
}
