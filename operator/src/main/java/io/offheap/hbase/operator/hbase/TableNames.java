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
 * The names of tables that clusters' servers have named. HBase's client keeps each for as long as
 * the process lives, in one list for all clusters that it goes through at each name, so neither one
 * cluster nor all together may add to it without end. A name that is in it costs nothing more.
 */
final class TableNames {
  /** Of one cluster: more tables than an HBase has masters for. */
  static final int MOST = 10_000;

  /** Bytes of a namespace's name, or of a table's in it: as long as a folder's name may be. */
  static final int LONGEST = 255;

  /** For all that is read in this process. */
  static final TableNames OF_PROCESS = new TableNames(16 << 20);

  /** HBase's object with its strings and arrays, and the entry here. */
  private static final int NAME = 400;

  private static final int COPIES = 4;

  /** The entry of a cluster that names it too. */
  private static final int ENTRY = 64;

  private final long mostBytes;
  private final Set<BigInteger> names = new HashSet<>();
  private final Map<ResourceID, Set<BigInteger>> byCluster = new HashMap<>();
  private long bytes;

  /** Those that one cluster names. */
  interface OfCluster {
    /**
     * A name was read, and is kept from now on.
     *
     * @throws AnswerProblem where it is one too many
     */
    void add(byte[] namespace, byte[] table) throws AnswerProblem;
  }

  /**
   * With a bound.
   *
   * @param mostBytes of heap that all names may take
   */
  TableNames(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The count of a cluster goes on where it is connected to anew. */
  OfCluster of(ResourceID cluster) {
    return (namespace, table) -> add(cluster, namespace, table);
  }

  private synchronized void add(ResourceID cluster, byte[] namespace, byte[] table)
      throws AnswerProblem {
    var name = hash(namespace, table);
    var own = byCluster.getOrDefault(cluster, Set.of());
    if (own.contains(name)) {
      return;
    }
    if (own.size() >= MOST) {
      throw tooMany("names of over " + MOST + " tables; at most so many are taken of a cluster");
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
              + " bytes; at most so many are taken");
    }
    bytes += more;
    names.add(name);
    byCluster.computeIfAbsent(cluster, id -> new HashSet<>()).add(name);
  }

  private static AnswerProblem tooMany(String what) {
    return new AnswerProblem(
        "sent, with earlier answers, " + what + " until the operator is restarted");
  }

  /** Nobody can make two names with the same one. */
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
