package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A field of the spec that was renamed before the first release: {@code storage.managedHdfs} is
 * {@code storage.managed}. A spec that the version before keeps in a status or in the config map
 * {@code NAME-remembered} has the former name. So has what is hashed: another name of a field is no
 * other declaration.
 */
public final class FormerNames {
  private static final String STORAGE = "storage";
  private static final String FORMER = "managedHdfs";
  private static final String PRESENT = "managed";

  private FormerNames() {}

  /** Gives a spec of either form the present names. */
  static void replaceIn(ObjectNode spec) {
    rename(spec.path(STORAGE), FORMER, PRESENT);
  }

  /** Gives a spec the names that are hashed. */
  public static void restoreIn(ObjectNode spec) {
    restoreInStorage(spec.path(STORAGE));
  }

  /** The same for {@code spec.storage} alone. */
  public static void restoreInStorage(JsonNode storage) {
    rename(storage, PRESENT, FORMER);
  }

  private static void rename(JsonNode parent, String from, String to) {
    if (parent instanceof ObjectNode fields && fields.has(from) && !fields.has(to)) {
      fields.set(to, fields.remove(from));
    }
  }
}
